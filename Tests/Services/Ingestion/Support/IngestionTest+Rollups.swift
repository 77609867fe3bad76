import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

extension IngestionTest {
    struct RollupValue: Hashable {
        let type: DataType
        let day: String
        let subject: Int32
        let value: Double
    }

    /// A person with a number in the anonymous store, and a device.
    func counted(_ subject: Int32) async throws -> (account: UUID, device: UUID) {
        let account = UUID.random()
        try await change(1, .init(accountID: account, kind: .individual, subject: subject))
        return (account, .random())
    }

    /// All that was published, or what was in publications other than `known`.
    func rollups(beside known: Set<UUID> = []) async throws -> Set<RollupValue> {
        var values: Set<RollupValue> = []
        for event in try await events(Ingestion.rollupsFeed, as: "query") where event.kind == "day" {
            let rollups = try event.decode(Ingestion.DayRollups.self)
            guard rollups.publication.map({ !known.contains($0) }) ?? true else { continue }
            for (subject, value) in zip(rollups.subjects, rollups.values) {
                let new = values.insert(
                    RollupValue(type: rollups.type, day: rollups.day.description, subject: subject, value: value))
                #expect(new.inserted)
            }
        }
        return values
    }

    func publications() async throws -> Set<UUID> {
        Set(try await database.query("select entity from feed_event where kind = 'day-complete'", as: UUID.self))
    }

    /// A closer of its own, in whose memory there is room for some values; with other keys it may read nothing.
    func withCloser<R: Sendable>(
        valuesMax: Int = 10_000_000, keys: SubjectKeys? = nil, clock: (any WallClock)? = nil,
        _ body: (RollupCloser) async throws -> R
    ) async throws -> R {
        let context = service.context
        let pool = try BlockingPool(threads: 1, queueMax: 4)
        defer { pool.shutdown() }
        let publicationKeys = PublicationKeys(
            database: keyStore.database, cipher: FieldCipher(context.keys.fields))
        let shard = Shard(
            0, in: database,
            .init(
                context: context, keys: self.keys, publicationKeys: publicationKeys, importThreads: pool,
                wearers: WearerStates(from: nil, observer: context.observer)))
        let counter = DayCounter(
            valuesMax: valuesMax, shards: [shard], keys: keys ?? self.keys, log: context.log, threads: .computing)
        return try await body(
            RollupCloser(
                counter: counter, publicationKeys: publicationKeys, clock: clock ?? context.clock, isHeld: true))
    }

    /// Waits until the backend `blocker` keeps another one waiting.
    func untilBlocked(by blocker: Int32) async throws {
        let end = Deadline.after(.patience)
        let isBlocked: SQL =
            "select exists (select from pg_stat_activity where \(blocker) = any(pg_blocking_pids(pid)))"
        while try await database.queryOne(isBlocked, as: Bool.self) != true {
            try #require(!end.hasPassed, "nobody waits")
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }
}
