import Service

/// The member `settings` of the configuration.
struct QuerySettings: Decodable, Sendable {
    /// The anonymous store's own schema and role.
    let statisticsDatabase: DatabaseSettings
    /// An unanswered request lapses after so many hours, 24 at the earliest (REQ-06).
    let lapseHours: Int
    /// The data of a request for the past can be fetched for so many days after the acceptance.
    let onceAccessDays: Int
    /// The data of a subscription can be fetched for so many days after the end of its period (REQ-08).
    let lateAccessDays: Int
    /// Closed requests, logs of access and answers to group requests are kept for so many days.
    let historyDays: Int
    /// Searches for people in an hour, by one third party (REQ-02).
    let searchesMax: Int
    /// Streams and waiting reads at the same time, in a process: well below the 256 calls that a connection to
    /// ingestion carries.
    let waitingMax: Int
    /// The same for one third party.
    let waitingPerThirdPartyMax: Int

    private enum CodingKeys: String, CodingKey {
        case statisticsDatabase, lapseHours, onceAccessDays, lateAccessDays, historyDays, searchesMax, waitingMax
        case waitingPerThirdPartyMax
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys, _ range: ClosedRange<Int>, usually usual: Int) throws -> Int {
            let value = try container.decodeIfPresent(Int.self, forKey: key) ?? usual
            guard range.contains(value) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "expected a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        statisticsDatabase = try container.decode(DatabaseSettings.self, forKey: .statisticsDatabase)
        lapseHours = try number(.lapseHours, 24...8760, usually: 72)
        onceAccessDays = try number(.onceAccessDays, 1...3650, usually: 30)
        lateAccessDays = try number(.lateAccessDays, 1...3650, usually: 30)
        historyDays = try number(.historyDays, 30...36_500, usually: 730)
        searchesMax = try number(.searchesMax, 1...100_000, usually: 60)
        waitingMax = try number(.waitingMax, 1...100_000, usually: 192)
        waitingPerThirdPartyMax = try number(.waitingPerThirdPartyMax, 1...100_000, usually: 64)
    }

    var history: Duration { .seconds(historyDays * 86_400) }

    var requests: RequestSettings {
        RequestSettings(
            lapse: .seconds(lapseHours * 3600), onceAccess: .seconds(onceAccessDays * 86_400),
            lateAccess: .seconds(lateAccessDays * 86_400))
    }
}
