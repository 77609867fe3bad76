import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import Security

/// Stores samples: sealed, once, in the order of arrival, together with their live event, many arrivals per commit
/// (ING-02, NFR-05).
final class ArrivalWriter: Sendable {
    /// In one commit.
    static let groupMax = 64
    /// Not yet begun; at about a thousand a second, 2 s.
    static let waitingMax = 2000

    private let group: GroupCommit<NewArrival, ArrivalOutcome>

    init(database: Database, live: LiveFeed, signals: ArrivalSignals, clock: any WallClock) {
        group = GroupCommit(itemsMax: Self.groupMax, waitingMax: Self.waitingMax) { arrivals in
            let outcomes = try await Self.store(arrivals, database, live, at: clock.now())
            for (arrival, outcome) in zip(arrivals, outcomes) {
                if case .stored = outcome { signals.raise(arrival.account) }
            }
            return outcomes
        }
    }

    /// Returns when it is on disk. The batch must not be empty. Errors: `IOError.limit` when too many wait already, the
    /// database's.
    func store(_ arrival: NewArrival) async throws -> ArrivalOutcome { try await group.submit(arrival) }

    private static func store(
        _ arrivals: [NewArrival], _ database: Database, _ live: LiveFeed, at now: Timestamp
    ) async throws -> [ArrivalOutcome] {
        try await database.transaction { transaction in
            let work = try await Work(arrivals, in: transaction, at: now)
            return try await work.finish(in: transaction, live)
        }
    }

    /// One group inside its transaction.
    private struct Work {
        private let arrivals: [NewArrival]
        private var outcomes: [ArrivalOutcome?]
        private let states: [UUID: PersonState]
        /// Numbers of the arrivals that are to be inserted, and what.
        private var inserts: [(index: Int, arrival: NewArrival)] = []

        init(_ arrivals: [NewArrival], in transaction: Transaction, at now: Timestamp) async throws {
            self.arrivals = arrivals
            outcomes = Array(repeating: nil, count: arrivals.count)
            let accounts = Array(Set(arrivals.map(\.account)))
            let devices = Set(arrivals.compactMap(\.device))
            let answers = try await transaction.runBatch([
                ArrivalStore.lock(accounts), ArrivalStore.states(accounts, at: now),
                ArrivalStore.devices(Array(devices)),
            ])
            states = try ArrivalStore.decodeStates(answers[1])
            let known = try ArrivalStore.decodeDevices(answers[2])
            for (index, arrival) in arrivals.enumerated() {
                switch Self.judge(arrival, states[arrival.account] ?? PersonState(), known) {
                case .done(let outcome): outcomes[index] = outcome
                case .insert(let kept): inserts.append((index, kept))
                }
            }
        }

        private enum Verdict {
            case done(ArrivalOutcome)
            case insert(NewArrival)
        }

        // Inlined into the initialiser, this crashes the optimizer of Swift 6.3 ("Found outside of lifetime use").
        @inline(never)
        private static func judge(
            _ arrival: NewArrival, _ state: PersonState, _ devices: [UUID: DeviceState]
        ) -> Verdict {
            if state.isErased { return .done(.erased) }
            let device = arrival.device.flatMap { devices[$0] }
            if let device, device.isRemoved || device.owner != arrival.account { return .done(.deviceRemoved) }
            let kept = arrival.kept(state.paused, device?.types)
            return kept.batch.isEmpty ? .done(.stored(samples: 0, dropped: kept.dropped)) : .insert(kept)
        }

        func finish(in transaction: Transaction, _ live: LiveFeed) async throws -> [ArrivalOutcome] {
            var outcomes = outcomes
            let newcomers = Set(inserts.map(\.arrival.account)).filter { states[$0]?.isKnown != true }
            var statements: [SQL] = newcomers.isEmpty ? [] : [ArrivalStore.addPeople(Array(newcomers))]
            let first = statements.count
            for (_, arrival) in inserts { statements.append(try arrival.insertion()) }
            let answers = try await transaction.runBatch(statements)
            var repeats: [(index: Int, arrival: NewArrival)] = []
            var events: [FeedEvent] = []
            for (answer, insert) in zip(answers.dropFirst(first), inserts) {
                let state = states[insert.arrival.account] ?? PersonState()
                guard answer.count > 0 else {
                    repeats.append(insert)
                    continue
                }
                outcomes[insert.index] = .stored(
                    samples: insert.arrival.batch.count, dropped: insert.arrival.dropped)
                if state.isWatched { events += try live.events(of: insert.arrival, in: state.watched) }
            }
            try await settle(repeats, &outcomes, in: transaction)
            try await live.publish(events, in: transaction)
            return outcomes.map { $0 ?? .stored(samples: 0, dropped: DroppedTypes()) }
        }

        private func settle(
            _ repeats: [(index: Int, arrival: NewArrival)], _ outcomes: inout [ArrivalOutcome?],
            in transaction: Transaction
        ) async throws {
            guard !repeats.isEmpty else { return }
            let answers = try await transaction.runBatch(
                repeats.map { ArrivalStore.earlier($0.arrival.source, of: $0.arrival.account) })
            for (answer, entry) in zip(answers, repeats) {
                // Otherwise the number was used by the device for another account.
                let earlier = try ArrivalStore.decodeEarlier(answer)
                outcomes[entry.index] = earlier.map { .repeated($0) } ?? .deviceRemoved
            }
        }
    }
}

extension NewArrival {
    var device: UUID? {
        if case .device(let device, _) = source { device } else { nil }
    }

    /// Without what is paused and what the device is not to provide (a mask of what it is; `nil`: all).
    fileprivate func kept(_ paused: Set<DataType.Group>, _ provided: Int64?) -> NewArrival {
        var kept = self
        kept.dropped.paused = paused
        if let provided {
            kept.dropped.withheld = batch.types & ~provided
            kept.batch.keep(provided)
        }
        for group in paused { kept.batch.remove(group) }
        return kept
    }

    fileprivate func insertion() throws -> SQL {
        guard let span = batch.span else { throw PostgresError.usage("an arrival without samples") }
        let sealed = key.seal(SampleCodec.encode(batch), at: SealedLocation.arrival(id))
        return ArrivalStore.insert(self, sealed: sealed, span: span)
    }
}
