import Postgres
import Primitives

/// Reads into the roster who has sent nothing since this process began to follow them, and who has changed the enrolment
/// elsewhere. Whoever ends it at another replica is forgotten within a round.
struct RosterKeeper: Sendable {
    static let interval = Duration.seconds(60)
    private static let pageMax: Int64 = 1000
    private static let loadedMax = 1000

    let people: WatchedPeople
    private var roster: Roster { people.standby.roster }
    private var database: Database { people.incidents.database }

    func keep() async throws {
        var last = UUID(high: 0, low: 0)
        // Who is read meanwhile is enrolled.
        var known = roster.accounts.sorted()[...]
        while !Task.isCancelled {
            let page = try await database.query(
                """
                select account, version from enrolment where is_active and account > \(last)
                order by account limit \(Self.pageMax)
                """, as: UUID.self, Int64.self)
            let isEnd = page.count < Self.pageMax
            let versions = Dictionary(uniqueKeysWithValues: page)
            let through = isEnd ? nil : page.last?.0
            let passed = known.prefix { account in through.map { account <= $0 } ?? true }
            for account in passed where versions[account] == nil { roster.forget(account) }
            known = known.dropFirst(passed.count)
            var missing = roster.missing(versions)[...]
            while !missing.isEmpty {
                try await people.load(Array(missing.prefix(Self.loadedMax)))
                missing = missing.dropFirst(Self.loadedMax)
            }
            guard !isEnd, let next = page.last?.0 else { return }
            last = next
        }
    }
}
