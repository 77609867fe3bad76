import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import Security

/// Stores samples: sealed, once, in the order of arrival, together with their live event, many arrivals per commit
/// (ING-02, NFR-05). A device's upload leaves a row also when nothing of it is stored, so that its repeat gets the same
/// answer and its number cannot be used for other content.
final class ArrivalWriter: Sendable {
    /// Arrivals in one commit.
    static let groupMax = 64
    /// Arrivals in no commit yet; at about a thousand a second, 2 s.
    static let waitingMax = 2000

    private let group: GroupCommit<NewArrival, ArrivalOutcome>

    init(database: Database, live: LiveFeed, counters: ArrivalCounters, clock: any WallClock) {
        group = GroupCommit(itemsMax: Self.groupMax, waitingMax: Self.waitingMax) { arrivals in
            let outcomes = try await Self.store(arrivals, database, live, at: clock.now())
            for (arrival, outcome) in zip(arrivals, outcomes) {
                if case .stored(1..., _) = outcome { counters.raise(arrival.account) }
            }
            return outcomes
        }
    }

    /// Returns after the commit is on disk. Errors: `IOError.limit` when too many wait already, the database's.
    func store(_ arrival: NewArrival) async throws -> ArrivalOutcome { try await group.submit(arrival) }

    private static func store(
        _ arrivals: [NewArrival], _ database: Database, _ live: LiveFeed, at now: Timestamp
    ) async throws -> [ArrivalOutcome] {
        try await database.transaction { transaction in
            let work = try await Work(arrivals, in: transaction, at: now)
            return try await work.finish(in: transaction, live)
        }
    }

    /// One group of arrivals inside its transaction.
    private struct Work {
        private let arrivals: [NewArrival]
        private var outcomes: [ArrivalOutcome?]
        private let states: [UUID: PersonState]
        /// The arrivals to be inserted, with their numbers in the group.
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
            // An import or entry without samples to store leaves no row: it can be sent again when the types are
            // collected.
            return kept.batch.isEmpty && kept.source == .person
                ? .done(.stored(samples: 0, dropped: kept.dropped)) : .insert(kept)
        }

        func finish(in transaction: Transaction, _ live: LiveFeed) async throws -> [ArrivalOutcome] {
            var outcomes = outcomes
            let newcomers = Set(inserts.map(\.arrival.account)).filter { states[$0]?.isKnown != true }
            var statements: [SQL] = newcomers.isEmpty ? [] : [ArrivalStore.addPeople(Array(newcomers))]
            let first = statements.count
            for (_, arrival) in inserts { statements.append(arrival.insertion()) }
            let answers = try await transaction.runBatch(statements)
            var newTypes: [UUID: Int64] = [:]
            var events: [FeedEvent] = []
            for (answer, (index, arrival)) in zip(answers.dropFirst(first), inserts) {
                if let (earlier, isSame) = try ArrivalStore.decodeInserted(answer, content: arrival.content) {
                    outcomes[index] = isSame ? .repeated(earlier) : .conflict(receivedAt: earlier.receivedAt)
                    continue
                }
                outcomes[index] = .stored(samples: arrival.batch.count, dropped: arrival.dropped)
                let state = states[arrival.account] ?? PersonState()
                if arrival.batch.types & ~state.types != 0 {
                    newTypes[arrival.account, default: 0] |= arrival.batch.types
                }
                if state.isWatched { events += try live.events(of: arrival, in: state.watched) }
            }
            try await transaction.batch(newTypes.map { ArrivalStore.addTypes($0.value, of: $0.key) })
            try await live.publish(events, in: transaction)
            return outcomes.map { $0 ?? .stored(samples: 0, dropped: DroppedTypes()) }
        }
    }
}

extension NewArrival {
    var device: UUID? {
        if case .device(let device, _) = source { device } else { nil }
    }

    /// The arrival without what is paused and without what the device may not provide (`provided` is a mask of what it
    /// may; `nil`: all).
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

    fileprivate func insertion() -> SQL {
        let sealed = batch.isEmpty ? [] : key.seal(SampleCodec.encode(batch), at: SealedLocation.arrival(id))
        return ArrivalStore.insert(self, sealed: sealed)
    }
}
