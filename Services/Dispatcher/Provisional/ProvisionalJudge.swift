import Contracts
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// Judges provisional samples: in the database, or when that does not take them in time, in memory, where an emergency goes through
/// the local journal (`StandbyWatch`). What was judged in memory is kept, in its order, and comes before all that follows once the
/// database is back, so that a run of samples across its return is one.
final class ProvisionalJudge: Sendable {
    /// Of ingestion's shards none has this number: what comes through the feed is judged apart.
    static let shard = -1
    /// How often what is kept is tried again.
    static let interval = Duration.seconds(1)
    /// Uploads that are kept, a few kB each; of more the oldest are given up. They come again from storage.
    static let keptMax = 20_000
    /// Uploads of one transaction.
    private static let togetherMax = 500
    /// After the database has not answered in time it is left alone for so long: each of ingestion's calls would wait for it anew.
    private static let awayPause = Duration.seconds(1)

    let people: WatchedPeople
    private let standby: StandbyWatch
    private let kept = Mutex<[WatchedPeople.Upload]>([])
    private let awayUntil = Mutex<Deadline?>(nil)

    init(people: WatchedPeople, standby: StandbyWatch) {
        (self.people, self.standby) = (people, standby)
    }

    /// Uploads that were judged in memory only.
    var keptCount: Int { kept.withLock { $0.count } }

    /// Judges uploads, the first first, and returns once an emergency of them is on disk: the database has half a second for all that
    /// it has to do before. Returns those who could not be judged: without the database this process knows only whom it follows.
    func judge(_ uploads: [WatchedPeople.Upload]) async throws -> Set<UUID> {
        if awayUntil.withLock({ $0?.hasPassed ?? true }) {
            let work = StartedWork { [self] in
                try await settle(within: HandOverDesk.commitMax)
                try await commit(uploads, within: HandOverDesk.commitMax)
            }
            do {
                try await work.outcome(by: .after(HandOverDesk.commitMax))
                return []
            } catch  where isDatabaseAway(error) {
                awayUntil.withLock { $0 = .after(Self.awayPause) }
            }
        }
        keep { $0 += uploads }
        // Whoever has called may have gone: an emergency goes on.
        let (standby, shard) = (standby, Self.shard)
        return try await StartedWork { await standby.observe(uploads, ofShard: shard) }.outcome(by: .never)
    }

    /// Brings what was judged in memory only to the database.
    func settle(within time: Duration = HandOverDesk.settleMax) async throws {
        while true {
            let some = kept.withLock { kept in
                defer { kept.removeFirst(min(kept.count, Self.togetherMax)) }
                return Array(kept.prefix(Self.togetherMax))
            }
            guard !some.isEmpty else { return }
            let young = some.filter { $0.age <= ProvisionalMethod.ageMax }
            do { try await commit(young, within: time) } catch {
                keep { $0 = young + $0 }
                throw error
            }
            if keptCount == 0 { standby.end(shard: Self.shard) }
        }
    }

    private func commit(_ uploads: [WatchedPeople.Upload], within time: Duration) async throws {
        guard !uploads.isEmpty else { return }
        let people = people
        // Incidents that were opened without the database come first: with the times they really had.
        await people.desk.settleBefore(judging: Set(uploads.map(\.samples.accountID)), within: time)
        _ = try await people.incidents.database.transaction(deadline: .after(HandOverDesk.commitMax)) {
            try await people.observe(uploads, in: $0)
        }
    }

    private func keep(_ add: (inout [WatchedPeople.Upload]) -> Void) {
        kept.withLock { kept in
            add(&kept)
            kept.removeFirst(max(0, kept.count - Self.keptMax))
        }
    }
}
