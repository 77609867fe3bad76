import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Reads what `ingestion.live` no longer had (`feed.gone`) from ingestion's storage, person by person. Only the last
/// minutes matter: what is older dispatches nobody any more (`Monitor.backlogMax`). The operator is told what could not
/// be read in time.
struct GapReader: Sendable {
    static let interval = Duration.seconds(1)
    static let pageMax = 100
    private static let callsMax = 8
    private static let callTime = Duration.seconds(5)
    /// What came while the feed began to be read again may be in both: it is read from storage as well.
    private static let overlap = Duration.seconds(60)
    /// Pages that are read for one person.
    private static let answersMax = 20
    private static let types = DataType.allCases.filter {
        $0.isVitalSign || $0 == .position || $0 == .activity
    }

    let people: WatchedPeople
    let gaps: GapStore
    let ingestion: any RPCCaller
    let progress: @Sendable () async throws -> FeedProgress

    /// Reads one gap, if there is one and the feed is read again; returns how many people were read.
    @discardableResult
    func look() async throws -> Int {
        guard try await gaps.isOpen(), let end = try await progress().appliedUntil, let gap = try await gaps.next()
        else {
            return 0
        }
        let (log, began) = (people.log, Deadline.now())
        var (after, count, failed) = (gap.after, 0, 0)
        while true {
            let accounts = try await people.incidents.database.query(
                """
                select account from enrolment where is_active and account > \(after)
                order by account limit \(Self.pageMax)
                """, as: UUID.self)
            // At the beginning nobody is watched, and nothing was missed.
            guard let last = accounts.last else { break }
            guard gap.age + Deadline.now().since(began) < Monitor.backlogMax else {
                log.error("a piece of the live feed was not read in time: emergencies in it may be unseen")
                break
            }
            if count + failed == 0 {
                log.error("a piece of the live feed was missed", ["ago_ms": .integer(gap.age.milliseconds)])
            }
            let failures = try await read(accounts, to: end)
            // Ingestion cannot be reached: the next round goes on from here.
            if let failure = failures.first, failures.count == accounts.count, failure.isRetryable { throw failure }
            (after, count, failed) = (last, count + accounts.count - failures.count, failed + failures.count)
            try await gaps.advance(gap, past: last)
        }
        try await gaps.close(gap)
        if count + failed > 0 {
            log.warning(
                "a missed piece of the live feed was read from storage",
                ["people": .integer(Int64(count)), "unread": .integer(Int64(failed))])
        }
        return count
    }

    /// A few at a time; returns what failed.
    private func read(_ accounts: [UUID], to end: Timestamp) async throws -> [RPCError] {
        try await withThrowingTaskGroup(of: RPCError?.self) { group in
            var failures: [RPCError] = []
            for (index, account) in accounts.enumerated() {
                if index >= Self.callsMax, let failure = try await group.next() ?? nil { failures.append(failure) }
                group.addTask { try await read(account, to: end) }
            }
            for try await failure in group {
                if let failure { failures.append(failure) }
            }
            return failures
        }
    }

    /// `end` is a time after the gap, by ingestion's database. Samples that came through the feed already have no
    /// effect.
    private func read(_ account: UUID, to end: Timestamp) async throws -> RPCError? {
        var after: Int64 = 0
        for _ in 0..<Self.answersMax {
            let answer: Ingestion.ReadGap.Result
            do throws(RPCError) {
                answer = try await ingestion.call(
                    Ingestion.ReadGap.self,
                    .init(
                        accountID: account, types: Self.types, receivedFrom: end - Monitor.backlogMax,
                        receivedTo: end + Self.overlap, after: after), deadline: .after(Self.callTime))
            } catch {
                people.log.error(
                    "samples of a missed piece of the live feed cannot be read",
                    ["account": .string(account.description), "error": Log.text(of: error)])
                return error
            }
            let uploads = answer.uploads.map {
                WatchedPeople.Upload(samples: $0.samples, age: .milliseconds($0.ageMilliseconds))
            }
            if !uploads.isEmpty {
                try await people.incidents.database.transaction { try await people.observe(uploads, in: $0) }
            }
            guard answer.hasMore else { return nil }
            after = answer.next
        }
        people.log.error(
            "too many samples of a missed piece of the live feed", ["account": .string(account.description)])
        return RPCError(.internal, "The gap of a person is too large.")
    }
}
