import Postgres
import Primitives

/// Enforces a service's retention rules. A row is deleted when it is too old by this machine's clock and by the
/// database's, so that one clock that is set wrong deletes nothing.
struct Retention: Sendable {
    static let interval = Duration.seconds(3600)
    static let daysMax = 36_500

    private let rules: [RetentionRule]
    private let days: [String: Int]
    private let clock: any WallClock
    private let database: Database

    /// `days` replaces those of rules by name. Throws for a name that no rule has.
    init(
        _ rules: [RetentionRule], days: [String: Int], clock: any WallClock, database: Database
    ) throws(ConfigurationError) {
        let names = rules.map(\.name)
        for (name, count) in days.sorted(by: { $0.key < $1.key }) {
            guard let rule = rules.first(where: { $0.name == name }) else {
                let known =
                    names.isEmpty ? "this service has none" : "there are \(names.sorted().joined(separator: ", "))"
                throw ConfigurationError("There is no retention \"\(name)\": \(known).")
            }
            guard (rule.daysMin...Self.daysMax).contains(count) else {
                throw ConfigurationError(
                    "The retention \"\(name)\" is not \(rule.daysMin) to \(Self.daysMax) days.")
            }
        }
        self.rules = rules
        self.days = days
        self.clock = clock
        self.database = database
    }

    /// One round: deletes all that is too old. A rule that fails (its database may be another one than the others') keeps none
    /// of the others from being followed.
    func enforce() async throws {
        let now = try await database.certainTime(by: clock)
        var failure: (any Error)?
        for rule in rules {
            let time = now - .seconds(86_400) * (days[rule.name] ?? rule.days)
            do {
                while !Task.isCancelled, try await rule.enforce(before: time) >= RetentionRule.batchMax {}
            } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    func task(pacing: any Pacing) -> BackgroundTask {
        .periodic("retention", every: Self.interval, pacing: pacing) { try await enforce() }
    }
}
