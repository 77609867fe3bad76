import Feed
import Postgres
import Primitives
import Reactor
import Service

/// Judges critical states in events that were read late (ARCHITECTURE, AutomatedSOS): when all later events of the person
/// have been read, at the latest after `Monitor.backlogWait`.
struct BacklogWatch: Sendable {
    static let batchMax = 100
    static let interval = Duration.seconds(1)
    /// For so long those whose keys are not at hand are in nobody's way.
    private static let keylessPause = Duration.seconds(5)

    let people: WatchedPeople
    let gaps: GapStore
    let progress: @Sendable () async throws -> FeedProgress

    /// One round; returns how many people were judged. A person whose time is further ahead than `Monitor.backlogWait` has
    /// waited since before the clock was set back, and is judged.
    @discardableResult
    func look() async throws -> Int {
        let database = people.incidents.database
        let isWaitedFor = try await database.queryOne(
            "select exists (select from monitor where judge_by is not null)", as: Bool.self)
        guard isWaitedFor == true else { return 0 }
        let age = try await progress().age
        let isFeedRead = age.map { $0 <= Monitor.freshMax } ?? false
        let due = try await database.query(
            """
            select account, is_read from (
              select m.account, m.judge_by, \(isFeedRead) and g.account is null as is_read
              from monitor m left join feed_gap g on g.account = m.account where m.judge_by is not null) w
            where is_read or judge_by <= clock_timestamp()
              or judge_by > clock_timestamp() + make_interval(secs => \(Monitor.backlogWait.seconds))
            order by judge_by limit \(Self.batchMax)
            """, as: UUID.self, Bool.self)
        guard !due.isEmpty else { return 0 }
        let isRead = Dictionary(uniqueKeysWithValues: due)
        try await database.transaction { transaction in
            let keyless = try await people.change(Array(isRead.keys), in: transaction) { people, surroundings in
                for (account, isRead) in isRead { people[account]?.judgeBacklog(isRead: isRead, in: surroundings) }
            }
            guard !keyless.isEmpty else { return }
            // Judged once they are read, or when they come to the front again.
            try await transaction.batch([
                """
                update monitor set judge_by = clock_timestamp() + make_interval(secs => \(Self.keylessPause.seconds))
                where account = any(\(keyless.sorted()))
                """,
                gaps.open(of: keyless),
            ])
        }
        return due.count
    }
}
