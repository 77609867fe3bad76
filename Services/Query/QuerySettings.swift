import JSON
import Service

/// The member `settings` of the configuration.
struct QuerySettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from all else, with backups of its own (ARCHITECTURE, "Identity and trust").
    let keystore: DatabaseSettings
    /// The anonymous store's own schema and role.
    let statisticsDatabase: DatabaseSettings
    /// An unanswered request lapses after so many hours, 24 at the earliest (REQ-06).
    let lapseHours: Int
    /// The data of a request for the past can be fetched for so many days after the acceptance.
    let onceAccessDays: Int
    /// The data of a subscription can be fetched for so many days after the end of its period (REQ-08).
    let lateAccessDays: Int
    /// Searches for people in an hour, by one third party (REQ-02).
    let searchesMax: Int
    /// Streams and waiting reads at the same time, in a process: well below the 256 calls that a connection to
    /// ingestion carries.
    let waitingMax: Int
    /// The same for one third party.
    let waitingPerThirdPartyMax: Int

    private enum CodingKeys: CodingKey {
        case keystore, statisticsDatabase, lapseHours, onceAccessDays, lateAccessDays, searchesMax, waitingMax
        case waitingPerThirdPartyMax
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keystore = try container.decode(DatabaseSettings.self, forKey: .keystore)
        statisticsDatabase = try container.decode(DatabaseSettings.self, forKey: .statisticsDatabase)
        lapseHours = try container.number(.lapseHours, 24...8760) ?? 72
        onceAccessDays = try container.number(.onceAccessDays, 1...3650) ?? 30
        lateAccessDays = try container.number(.lateAccessDays, 1...3650) ?? 30
        searchesMax = try container.number(.searchesMax, 1...100_000) ?? 60
        waitingMax = try container.number(.waitingMax, 1...100_000) ?? 192
        waitingPerThirdPartyMax = try container.number(.waitingPerThirdPartyMax, 1...100_000) ?? 64
    }

    var requests: RequestSettings {
        RequestSettings(
            lapse: .seconds(lapseHours * 3600), onceAccess: .seconds(onceAccessDays * 86_400),
            lateAccess: .seconds(lateAccessDays * 86_400))
    }
}
