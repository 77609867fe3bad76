import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import Testing

extension BadDays {
    @Suite struct PromotionTests {
        private static let feed = "accounts.changes"

        private struct Value: Codable { let number: Int32 }

        /// Keeps a copy of the producer's table. A snapshot replaces what is there, whatever its version: the versions
        /// of a primary that is lost are given out again by the next.
        private struct Copying: FeedHandler {
            func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
                .statements(
                    try records.map { record in
                        """
                        insert into copy as c (entity, version, number, is_seen)
                        values (\(record.entity), \(record.version), \(try record.decode(Value.self).number), true)
                        on conflict (entity) do update set version = excluded.version, number = excluded.number
                        where c.version < excluded.version
                        """
                    })
            }
            func beginSnapshot() async throws -> FeedEffect { .statements(["update copy set is_seen = false"]) }
            func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
                .statements(
                    try entities.map { entity in
                        """
                        insert into copy (entity, version, number, is_seen)
                        values (\(entity.entity), \(entity.version), \(try entity.decode(Value.self).number), true)
                        on conflict (entity) do update
                        set version = excluded.version, number = excluded.number, is_seen = true
                        """
                    })
            }
            func endSnapshot() async throws -> FeedEffect { .statements(["delete from copy where not is_seen"]) }
        }

        @Test(
            "NFR-03 NFR-04: a standby that lacks the last events is promoted: consumers notice; nothing stays wrong",
            .timeLimit(.minutes(5)))
        func promotion() async throws {
            try await TestDatabase.with { test in
                try await Migrations(
                    schema: test.schema,
                    [
                        FeedSchema.consumer(1),
                        Migration(
                            2, "copy",
                            Array(
                                """
                                create table copy (
                                  entity uuid primary key, version bigint, number integer, is_seen boolean);
                                """.utf8)),
                    ]
                ).run(on: test.database)
                try await PrivateCluster.with(test.loops) { primary in
                    try await primary.start()
                    try await primary.withStandby { standby in
                        try await standby.start()
                        let both = DatabaseAddress(
                            hosts: primary.address.hosts + standby.address.hosts, name: primary.address.name,
                            user: primary.address.user, password: primary.address.password)
                        let producing = PrivateCluster.database(both, schema: "public", test.loops)
                        try await run(primary, standby, producing, test.database)
                        await producing.close()
                    }
                }
            }
        }

        private func run(
            _ primary: PrivateCluster, _ standby: PrivateCluster, _ producing: Database, _ consuming: Database
        ) async throws {
            let table = "create table item (entity uuid primary key, version bigint not null, number integer not null)"
            try await Migrations(
                schema: "public",
                [FeedSchema.producer(1, feeds: [Self.feed]), Migration(2, "item", Array(table.utf8))]
            )
            .run(on: producing)
            let notes = FeedNotes()
            let producer = producer(on: producing, notes)
            var router = RPCRouter()
            producer.register(in: &router)
            let consumer = FeedConsumer(
                feed: Self.feed, from: LocalCaller(router: router, as: "query"), into: consuming, handler: Copying(),
                observer: notes.observer)
            let items = (0..<20).map { _ in UUID.random() }
            try await beside([producer.run, consumer.run]) {
                try await eventually("the consumer follows") { notes.snapshots > 0 }
                // Both have these,
                for number in 0..<40 {
                    try await write(Int32(number), to: items[number % 10], in: producing, through: producer)
                }
                let reading = standby.database()
                try await eventually("the standby has caught up") {
                    try await reading.queryOne("select sum(version)::bigint from item", as: Int64?.self) == 40
                }
                await reading.close()
                try await standby.kill()
                // and these, changes and new items, only the primary and the consumer.
                for number in 100..<140 {
                    try await write(Int32(number), to: items[number % 20], in: producing, through: producer)
                }
                try await agree(producing, consuming, versions: 80)
                try await primary.kill()
                try await standby.start()
                try await standby.promote()
                try await agree(producing, consuming, versions: 40)
                // Versions are given out a second time, now for something else.
                for number in 200..<230 {
                    try await write(Int32(number), to: items[number % 15], in: producing, through: producer)
                }
                try await agree(producing, consuming, versions: 70)
            }
            #expect(notes.gone >= 1 && notes.snapshots >= 2 && notes.blamed == 0)
        }

        private func producer(on database: Database, _ notes: FeedNotes) -> FeedProducer {
            let definition = FeedDefinition(name: Self.feed, durable: ["query"]) { page in
                let after = page.flatMap { UUID($0) }
                let rows = try await database.query(
                    """
                    select entity, version, number from item where \(after)::uuid is null or entity > \(after)
                    order by entity limit 7
                    """, as: UUID.self, Int64.self, Int32.self)
                return FeedDefinition.Page(
                    entities: try rows.map {
                        FeedEntity(
                            entity: $0.0, version: $0.1, kind: "item",
                            payload: try JSONRaw(encoding: Value(number: $0.2)))
                    },
                    next: rows.count == 7 ? rows.last?.0.description : nil)
            }
            return FeedProducer(database: database, feeds: [definition], observer: notes.observer)
        }

        private func write(
            _ number: Int32, to item: UUID, in database: Database, through producer: FeedProducer
        ) async throws {
            try await database.transaction { transaction in
                let version = try await transaction.queryOne(
                    """
                    insert into item as i values (\(item), 1, \(number))
                    on conflict (entity) do update set version = i.version + 1, number = excluded.number
                    returning version
                    """, as: Int64.self)
                let event = try FeedEvent(
                    feed: Self.feed, entity: item, version: try #require(version), kind: "item",
                    encoding: Value(number: number))
                try await producer.publish([event], in: transaction)
            }
        }

        private func agree(_ producing: Database, _ consuming: Database, versions: Int64) async throws {
            try await eventually("the copy is the same, at \(versions) versions in all") {
                let query: SQL = "select entity, version, number from item order by entity"
                let items = try await producing.query(query, as: UUID.self, Int64.self, Int32.self)
                let copies = try await consuming.query(
                    "select entity, version, number from copy order by entity", as: UUID.self, Int64.self, Int32.self)
                return items.reduce(0) { $0 + $1.1 } == versions && items.elementsEqual(copies, by: ==)
            }
        }
    }
}
