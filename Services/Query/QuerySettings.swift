import Service

/// The member `settings` of the configuration.
struct QuerySettings: Decodable, Sendable {
    /// The anonymous store's own schema and role.
    var statisticsDatabase: DatabaseSettings
    /// An unanswered request lapses after so many hours, 24 at the earliest (REQ-06).
    var lapseHours: Int
    /// The data of a request for the past can be fetched for so many days after the acceptance.
    var onceAccessDays: Int
    /// Searches for people without a result in an hour (REQ-02).
    var searchMissesMax: Int
    /// Streams and waiting reads at the same time, in a process: well below the calls that a connection to ingestion has
    /// room for (256).
    var waitingMax: Int
    /// The same of one third party.
    var waitingPerThirdPartyMax: Int

    static let lapseHoursMin = 24
    static let lapseHoursDefault = 72
    static let onceAccessDaysDefault = 30
    static let searchMissesMaxDefault = 20
    static let waitingMaxDefault = 192
    static let waitingPerThirdPartyMaxDefault = 64

    private enum CodingKeys: String, CodingKey {
        case statisticsDatabase, lapseHours, onceAccessDays, searchMissesMax, waitingMax, waitingPerThirdPartyMax
    }

    init(
        statisticsDatabase: DatabaseSettings, lapseHours: Int = lapseHoursDefault,
        onceAccessDays: Int = onceAccessDaysDefault, searchMissesMax: Int = searchMissesMaxDefault,
        waitingMax: Int = waitingMaxDefault, waitingPerThirdPartyMax: Int = waitingPerThirdPartyMaxDefault
    ) {
        self.statisticsDatabase = statisticsDatabase
        self.lapseHours = lapseHours
        self.onceAccessDays = onceAccessDays
        self.searchMissesMax = searchMissesMax
        self.waitingMax = waitingMax
        self.waitingPerThirdPartyMax = waitingPerThirdPartyMax
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys, _ range: ClosedRange<Int>, _ usual: Int) throws -> Int {
            let value = try container.decodeIfPresent(Int.self, forKey: key) ?? usual
            guard range.contains(value) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "expected a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        self.init(
            statisticsDatabase: try container.decode(DatabaseSettings.self, forKey: .statisticsDatabase),
            lapseHours: try number(.lapseHours, Self.lapseHoursMin...8760, Self.lapseHoursDefault),
            onceAccessDays: try number(.onceAccessDays, 1...3650, Self.onceAccessDaysDefault),
            searchMissesMax: try number(.searchMissesMax, 1...100_000, Self.searchMissesMaxDefault),
            waitingMax: try number(.waitingMax, 1...100_000, Self.waitingMaxDefault),
            waitingPerThirdPartyMax: try number(
                .waitingPerThirdPartyMax, 1...100_000, Self.waitingPerThirdPartyMaxDefault))
    }

    var requests: RequestSettings {
        RequestSettings(lapse: .seconds(lapseHours * 3600), onceAccess: .seconds(onceAccessDays * 86_400))
    }
}
