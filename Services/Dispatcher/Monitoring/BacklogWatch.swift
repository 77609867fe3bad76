import Feed
import Postgres
import Primitives
import Reactor
import Service

/// Judges critical states in events that were read late (ARCHITECTURE, AutomatedSOS): when all later events have been
/// read, at the latest after `Monitor.backlogWait`.
struct BacklogWatch: Sendable {
    static let batchMax = 100
    static let interval = Duration.seconds(1)

    let people: WatchedPeople
    let gaps: GapStore
    let progress: @Sendable () async throws -> FeedProgress

    /// One round; returns how many people were judged. A person whose time is further ahead than `Monitor.backlogWait` has
    /// waited since before the clock was set back, and is judged.
    @discardableResult
    func look() async throws -> Int {
        let database = people.incidents.database
        let waiting = try await database.query(
            """
            select account, judge_by <= clock_timestamp()
              or judge_by > clock_timestamp() + make_interval(secs => \(Monitor.backlogWait.seconds))
            from monitor where judge_by is not null
            order by judge_by limit \(Self.batchMax)
            """, as: UUID.self, Bool.self)
        guard !waiting.isEmpty else { return 0 }
        let isRead = try await isReadUpToNow()
        let accounts = waiting.filter { isRead || $0.1 }.map(\.0)
        guard !accounts.isEmpty else { return 0 }
        try await database.transaction { transaction in
            try await people.change(accounts, in: transaction) { people, surroundings in
                for account in people.keys { people[account]?.judgeBacklog(in: surroundings) }
            }
        }
        return accounts.count
    }

    private func isReadUpToNow() async throws -> Bool {
        guard let age = try await progress().age, age <= Monitor.freshMax else { return false }
        return try await !gaps.isOpen()
    }
}
