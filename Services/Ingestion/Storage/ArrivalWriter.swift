import Feed
import Postgres
import Primitives
import Security
import Service

/// Stores samples: sealed, once, in the order of arrival, together with their live event, many arrivals per commit
/// (ING-02, NFR-05). A device's upload leaves a row in the ledger also when nothing of it is stored, so that its repeat
/// gets the same answer and its number cannot be used for other content.
final class ArrivalWriter: Sendable {
    /// Arrivals in one commit.
    static let groupMax = 64
    /// Arrivals in no commit yet; at about a thousand a second, 2 s.
    static let waitingMax = 2000

    private let group: GroupCommit<NewArrival, ArrivalResult>
    /// Few, so that they have turns of their own.
    private let urgent: GroupCommit<NewArrival, ArrivalResult>

    /// `sourceNames` makes the identities of imports' sources of their names. `peopleMax`: of so many people is
    /// remembered where their last arrival is. `uploads` is told for how long commits with devices' uploads are under way.
    /// Shards of one process share `turns`. `watched` is told how those stand whom AutomatedSOS watches, and `recent` keeps
    /// their uploads for a moment.
    init(
        database: Database, live: LiveFeed, counters: ArrivalCounters, sealing: SealJob, sourceNames: BlindIndex,
        clock: any WallClock, uploads: BusyMeter, turns: CommitTurns,
        watched: WatchedMemory = WatchedMemory(), recent: RecentlyStored? = nil, shard: Int = 0,
        peopleMax: Int = SubjectKeys.peopleMaxDefault
    ) {
        let context = ArrivalGroup.Context(
            live: live, known: KnownArrivals(peopleMax: peopleMax), devices: KnownDevices(devicesMax: peopleMax),
            sourceNames: sourceNames, sealing: sealing, watched: watched, shard: shard)
        let commit: @Sendable ([NewArrival]) async throws -> [ArrivalResult] = { arrivals in
            // Imports give way to uploads, not to themselves.
            let hasUploads = arrivals.contains { $0.isUpload }
            if hasUploads { uploads.begin() }
            defer { if hasUploads { uploads.end() } }
            let results = try await Self.store(arrivals, database, context, at: clock.now())
            KillPoint.committed.pass()
            for (arrival, result) in zip(arrivals, results) {
                guard case .stored(1..., _) = result.outcome else { continue }
                counters.raise(arrival.account)
                if result.isWatchedClosely, arrival.isUpload { recent?.keep(arrival) }
            }
            return results
        }
        group = GroupCommit(itemsMax: Self.groupMax, waitingMax: Self.waitingMax, turns: turns, commit: commit)
        urgent = GroupCommit(
            itemsMax: Self.groupMax, waitingMax: Self.waitingMax, turns: CommitTurns(), commit: commit)
    }

    /// Returns after the commit is on disk. Errors: `IOError.limit` when too many wait already, the database's.
    func store(_ arrival: NewArrival) async throws -> ArrivalOutcome { try await result(of: arrival).outcome }

    /// The same, with what the sender is told of the person. What is urgent does not wait for what came before it.
    func result(of arrival: NewArrival, isUrgent: Bool = false) async throws -> ArrivalResult {
        try await (isUrgent ? urgent : group).submit(arrival)
    }

    private static func store(
        _ arrivals: [NewArrival], _ database: Database, _ context: ArrivalGroup.Context, at now: Timestamp
    ) async throws -> [ArrivalResult] {
        func commit() async throws(TransactionError) -> [ArrivalResult] {
            try await database.transaction { transaction in
                var group = try await ArrivalGroup(arrivals, context, in: transaction, at: now)
                KillPoint.grouped.pass()
                let results = group.results(try await group.finish(in: transaction))
                KillPoint.written.pass()
                return results
            }
        }
        do { return try await commit() } catch  where error.postgres?.sqlState == .checkViolation {
            // The day has no partition: it has begun since they were made last, or the database's clock was set.
            try await ArrivalDays.add(in: database)
            return try await commit()
        }
    }
}
