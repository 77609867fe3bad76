import Contracts
import Feed
import JSON
import Postgres
import Service

/// The member `settings` of the configuration; every one but the key store has a default.
struct Track4RunSettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from all else, with backups of its own (ARCHITECTURE, "Identity and trust").
    let keystore: DatabaseSettings
    /// How long before the start runners are asked to check in (RUN-08).
    var checkInBefore = Duration.seconds(15 * 60)
    /// How long after the end late data still counts for the ranking.
    var lateData = Duration.seconds(60)
    /// The time zone of dates and times of day (RUN-03, RUN-05), as PostgreSQL names it.
    var timeZone = "Europe/Rome"
    /// The most spectators of one run in one process.
    var spectatorsMax = 20_000
    var rules = RunnerRules()
    /// The most runs of one organiser that are not over.
    var runsMax = 100
    /// The most runs near a new one at its time or on its date; where there are more it is refused.
    var neighboursMax = 500

    /// Into how many parts `ingestion.live` is divided, which the replicas share, from the first start on.
    var liveParts = Ingestion.livePartsDefault

    init(keystore: DatabaseSettings) {
        self.keystore = keystore
    }

    /// Errors: a sentence when PostgreSQL, which works out dates and times of day, does not know the time zone.
    func check(in database: Database) async throws {
        let isKnown = try await database.queryOne(
            "select exists (select from pg_timezone_names where name = \(timeZone))", as: Bool.self)
        guard isKnown == true else {
            throw ConfigurationError(
                "settings.time_zone: PostgreSQL knows no time zone “\(timeZone)”; write one such as Europe/Rome.")
        }
    }

    private enum CodingKeys: String, CodingKey {
        case keystore, timeZone, spectatorsMax, runsMax, liveParts
        case checkInBefore = "check_in_before_s"
        case lateData = "late_data_s"
        case speedMax = "runner_speed_max_m_s"
        case lostAfter = "signal_lost_after_s"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keystore = try container.decode(DatabaseSettings.self, forKey: .keystore)
        if let seconds = try container.number(.checkInBefore, 1...86_400) { checkInBefore = .seconds(seconds) }
        if let seconds = try container.number(.lateData, 0...3600) { lateData = .seconds(seconds) }
        timeZone = try container.decodeIfPresent(String.self, forKey: .timeZone) ?? timeZone
        spectatorsMax = try container.number(.spectatorsMax, 1...1_000_000) ?? spectatorsMax
        liveParts = try container.number(.liveParts, 1...FeedParts.countMax) ?? liveParts
        runsMax = try container.number(.runsMax, 1...100_000) ?? runsMax
        if let speed = try container.number(.speedMax, 3...100) {
            rules.speedMax = Double(speed)
            rules.sprintSpeedMax = max(rules.sprintSpeedMax, rules.speedMax)
        }
        if let seconds = try container.number(.lostAfter, 5...3600) { rules.lostAfter = .seconds(seconds) }
    }
}
