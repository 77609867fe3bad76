import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Reads what `ingestion.live` did not bring from ingestion's storage, person by person. Only the last minutes matter: what
/// is older dispatches nobody any more (`Monitor.backlogMax`). The operator is told what could not be read in time.
struct GapReader: Sendable {
    static let interval = Duration.seconds(1)
    /// People who are read at the same time.
    static let peopleMax = 8
    private static let callTime = Duration.seconds(5)
    /// Reading one person begins no further call after this: it is over before the claim is.
    private static let personTime = Duration.seconds(8)
    /// What came while the feed began to be read again may be in both: it is read from storage as well.
    private static let overlap = Duration.seconds(60)
    /// Pages that are read for one person.
    private static let answersMax = 20

    private static let keyless = Outcome.failed("the person's key is not at hand", isAway: false)

    let people: WatchedPeople
    let gaps: GapStore
    let ingestion: any RPCCaller
    let progress: @Sendable () async throws -> FeedProgress

    private enum Outcome: Sendable {
        case read
        case tooLate
        case failed(String, isAway: Bool)

        /// Ingestion cannot be reached, for nobody.
        var isAway: Bool { if case .failed(_, true) = self { true } else { false } }
    }

    /// Reads the people with gaps whose turn it is, once the feed is read again; returns how many were read.
    @discardableResult
    func look() async throws -> Int {
        guard try await gaps.isOpen() else { return 0 }
        report(late: try await gaps.giveUp(after: Monitor.backlogMax))
        // Of the furthest shard: where one stands still, the gaps of other shards' people are read all the same.
        let progress = try await progress()
        guard let end = progress.furthestUntil, let age = progress.furthestAge else { return 0 }
        let round = try await readAll(to: end, knownFor: age)
        report(late: round.late)
        if let failure = round.failure {
            people.log.error(
                "samples of missed pieces of the live feed cannot be read yet",
                ["people": .integer(Int64(round.failed)), "error": .string(failure)])
        }
        if round.read > 0 {
            people.log.warning(
                "missed pieces of the live feed were read from storage", ["people": .integer(Int64(round.read))])
        }
        return round.read
    }

    /// What became of the people of one round.
    private struct Round {
        var read = 0
        var late = 0
        var failed = 0
        /// A failure that is told: not each of those that come again and again.
        var failure: String?
        var isEmpty: Bool { read + late + failed == 0 }

        mutating func add(_ gap: GapStore.Gap, _ outcome: Outcome) {
            switch outcome {
            case .read: read += 1
            case .tooLate: late += 1
            case .failed(let reason, _):
                failed += 1
                if gap.attempts.nonzeroBitCount == 1 { failure = failure ?? reason }
            }
        }
    }

    private func report(late count: Int) {
        guard count > 0 else { return }
        people.log.error(
            "pieces of the live feed were not read in time: emergencies in them may be unseen",
            ["people": .integer(Int64(count))])
    }

    /// Reads people side by side; who is read sooner than others makes room for the next.
    private func readAll(to end: Timestamp, knownFor age: Duration) async throws -> Round {
        try await withThrowingTaskGroup(of: (gap: GapStore.Gap, outcome: Outcome).self) { group in
            var round = Round()
            var (running, awayInARow) = (0, 0)
            while !Task.isCancelled {
                // When ingestion cannot be reached, the others wait for the next round.
                if running < Self.peopleMax, awayInARow < Self.peopleMax {
                    let claimed = try await gaps.claim(Self.peopleMax - running, recordedBefore: end, knownFor: age)
                    for gap in claimed { group.addTask { (gap, try await settle(gap, to: end)) } }
                    running += claimed.count
                    if round.isEmpty, let gap = claimed.first(where: { $0.attempts == 1 }) {
                        people.log.error(
                            "a piece of the live feed was missed", ["ago_ms": .integer(gap.age.milliseconds)])
                    }
                }
                guard let (gap, outcome) = try await group.next() else { break }
                running -= 1
                awayInARow = outcome.isAway ? awayInARow + 1 : 0
                round.add(gap, outcome)
            }
            return round
        }
    }

    private func settle(_ gap: GapStore.Gap, to end: Timestamp) async throws -> Outcome {
        let outcome = gap.age < Monitor.backlogMax ? try await read(gap.account, to: end) : .tooLate
        switch outcome {
        case .read, .tooLate: try await gaps.close(gap)
        case .failed: try await gaps.postpone(gap)
        }
        return outcome
    }

    /// `end` is a time after the gap, by ingestion's database. Samples that came through the feed already have no
    /// effect.
    private func read(_ account: UUID, to end: Timestamp) async throws -> Outcome {
        if case .failure = await people.keys.keysAtHand(of: [account])[account] { return Self.keyless }
        let last = Deadline.after(Self.personTime)
        var after = Ingestion.ReadCursor.beginning
        for _ in 0..<Self.answersMax where !last.hasPassed {
            let answer: Ingestion.ReadGap.Result
            do throws(RPCError) {
                answer = try await ingestion.call(
                    Ingestion.ReadGap.self,
                    .init(
                        accountID: account, types: Observation.types, receivedFrom: end - Monitor.backlogMax,
                        receivedTo: end + Self.overlap, after: after), deadline: .after(Self.callTime))
            } catch {
                return .failed(error.description, isAway: error.isRetryable)
            }
            let uploads = answer.uploads.map {
                WatchedPeople.Upload(samples: $0.samples, age: .milliseconds($0.ageMilliseconds))
            }
            if !uploads.isEmpty {
                let keyless = try await people.incidents.database.transaction {
                    try await people.observe(uploads, in: $0)
                }
                guard keyless.isEmpty else { return Self.keyless }
            }
            guard answer.hasMore else { return .read }
            after = answer.next
        }
        return .failed("too many samples", isAway: false)
    }
}
