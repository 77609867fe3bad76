import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// Each test has clusters of its own; a few at a time.
@Suite(.serialized) struct ShardMoveTests {
    /// A service of two shards, the second on the first of two clusters.
    private struct Bed: Sendable {
        let test: IngestionTest
        let clusters: [PrivateCluster]
        let directory: TestDirectory

        var schema: String { test.schema(ofShard: 1) }

        /// Connection settings of the shard in a cluster.
        static func place(_ cluster: PrivateCluster, _ schema: String, _ directory: TestDirectory) -> String {
            cluster.address.settings(schema: schema, passwordFile: directory.file("password"))
        }

        /// Moves the shard to one of the clusters, or cancels that.
        func move(
            to cluster: Int, cancels: Bool = false,
            _ step: @escaping @Sendable (ShardMove.Step) async throws -> Void = { _ in }
        ) async throws {
            let to = Self.place(clusters[cluster], schema, directory)
            var move = try await ShardCommand.prepared(
                test.service.context, try ShardCommand.Move(["1", "--to", to])
            ) { _ in }
            move.step = step
            let outcome = await move.outcome(cancels: cancels)
            await move.close()
            try outcome.get()
        }

        /// What moves leave behind in a cluster beside old schemas.
        func traces(in cluster: Int) async throws -> Int {
            let database = clusters[cluster].database()
            let count = try await database.queryOne(
                """
                select (select count(*) from pg_publication) + (select count(*) from pg_subscription)
                  + (select count(*) from pg_replication_slots)
                """, as: Int.self)
            await database.close()
            return count ?? -1
        }

        func isThere(_ cluster: Int) async throws -> Bool {
            let database = clusters[cluster].database()
            let found = try await database.queryOne(
                "select exists (select from pg_namespace where nspname = \(schema))", as: Bool.self)
            await database.close()
            return found ?? false
        }
    }

    private static func with(
        _ senders: String..., body: @escaping @Sendable (Bed) async throws -> Void
    ) async throws {
        try await PrivateCluster.withDirectory { first, directory in
            try await PrivateCluster.with(first.loops) { second in
                for cluster in [first, second] { try await cluster.start(settings: senders) }
                try directory.write("password", "none")
                try await IngestionTest.with(
                    shards: 2, places: { [1: Bed.place(first, "\($0)_1", directory)] }
                ) { test in
                    try await body(Bed(test: test, clusters: [first, second], directory: directory))
                }
            }
        }
    }

    private struct Sender: Sendable {
        let account: UUID
        let device = UUID.random()
        let shard: Int
    }

    private struct Record: Sendable {
        var acknowledged: [UUID: Int64] = [:]
        var longest: [Int: Duration] = [:]
        var refused: [Int: Int] = [:]
    }

    private final class Ledger: Sendable {
        let record = Mutex(Record())
        let isOver = Mutex(false)

        func least(of senders: [Sender]) -> Int64 {
            record.withLock { record in senders.map { record.acknowledged[$0.account] ?? 0 }.min() ?? 0 }
        }
    }

    private static func senders(_ count: Int) -> [Sender] {
        (0..<2).flatMap { shard in
            (0..<count).map { _ in Sender(account: ShardsTests.person(of: shard, among: 2), shard: shard) }
        }
    }

    /// Sends one upload after the other until it is over, each again until it is acknowledged.
    private static func send(_ sender: Sender, _ test: IngestionTest, _ ledger: Ledger) async throws {
        for number in Int64(1)... {
            let sample = heartRates([60 + Double(number % 40)], from: IngestionTest.start - .seconds(5000 - number))
            let began = Deadline.now()
            while true {
                let response = try await test.send(number, [sample], device: sender.device, of: sender.account)
                if response.status == .ok { break }
                ledger.record.withLock { $0.refused[sender.shard, default: 0] += 1 }
                try await EventLoop.current?.sleep(for: .milliseconds(20))
            }
            let time = Deadline.now().since(began)
            ledger.record.withLock { record in
                record.acknowledged[sender.account] = number
                record.longest[sender.shard] = max(record.longest[sender.shard] ?? .zero, time)
            }
            if ledger.isOver.withLock({ $0 }) { return }
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }

    @Test(
        "NFR-04a ING-02cd: a shard moves to another cluster under uploads: nothing is lost or doubled, its people wait 2 s at most",
        .timeLimit(.minutes(5)))
    func underUploads() async throws {
        try await Self.with { bed in
            let test = bed.test
            test.service.start()
            let senders = Self.senders(6)
            let ledger = Ledger()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in senders { group.addTask { try await Self.send(sender, test, ledger) } }
                func more(_ count: Int64) async throws {
                    let least = ledger.least(of: senders)
                    try await Self.eventually("\(count) more uploads of each") {
                        ledger.least(of: senders) >= least + count
                    }
                }
                try await more(10)
                try await bed.move(to: 1)
                try await more(10)
                ledger.isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            let result = ledger.record.withLock { $0 }
            for sender in senders {
                let count = try #require(result.acknowledged[sender.account])
                let series = try await test.readAll(sender.account).series
                #expect(series.reduce(0) { $0 + $1.count } == Int(count))
                #expect(
                    Set(series.flatMap { series in (0..<series.count).map { series.time($0) } }).count == Int(count))
            }
            #expect(result.refused == [:])
            // Beside those of the other shard, who wait for nothing but this machine, with all that it does beside.
            #expect(try #require(result.longest[0]) <= .seconds(5))
            #expect(try #require(result.longest[1]) <= .seconds(2) + #require(result.longest[0]))
            // Somebody new gets a number that nobody has.
            let new = Sender(account: ShardsTests.person(of: 1, among: 2), shard: 1)
            #expect(try await test.upload(1, [heartRates([60])], device: new.device, of: new.account).stored == 1)
            let row = try #require(try await ShardPlaces(database: test.database).row(1))
            #expect(row.version == 1 && row.movingTo == nil && row.movedFrom == nil)
            let places = try await [bed.isThere(0), bed.isThere(1)]
            #expect(places == [false, true])
            for cluster in 0...1 { #expect(try await bed.traces(in: cluster) == 0) }
            let numbers = try await bed.clusters[1].counts("select number from \(identifier: bed.schema).person")
            #expect(numbers.count == 7 && Set(numbers).count == 7)
        }
    }

    private struct Interrupted: Error {}

    private static func eventually(_ what: String, _ isTrue: () async throws -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while try await !isTrue() {
            guard !deadline.hasPassed else { throw ProcessFailure("never: \(what)") }
            try await EventLoop.current?.sleep(for: .milliseconds(10))
        }
    }

    @Test(
        "NFR-04a: a move of a shard that is broken off anywhere can be called again, and nothing is lost",
        .timeLimit(.minutes(5)))
    func again() async throws {
        // No more than a move takes: those of its beginning are not missing when it goes on.
        try await Self.with("max_wal_senders=5", "max_replication_slots=5") { bed in
            let sender = Sender(account: ShardsTests.person(of: 1, among: 2), shard: 1)
            var number: Int64 = 0
            var here = 0
            for step in ShardMove.Step.allCases {
                number += 1
                _ = try await bed.test.upload(
                    number, [heartRates([60], from: IngestionTest.start - .seconds(Int64(5000) - number))],
                    device: sender.device, of: sender.account)
                let there = 1 - here
                await #expect(throws: Interrupted.self) {
                    try await bed.move(to: there) { if $0 == step { throw Interrupted() } }
                }
                // After the last step nothing is left to be done.
                if step != .cleaned { try await bed.move(to: there) }
                here = there
                #expect(try await bed.isThere(here))
                for cluster in 0...1 { #expect(try await bed.traces(in: cluster) == 0, "\(step)") }
                let read = try await bed.test.readAll(sender.account).series
                #expect(read.reduce(0) { $0 + $1.count } == Int(number), "\(step)")
            }
        }
    }

    @Test(
        "NFR-04a: a move of a shard that was begun can be cancelled, and leaves nothing behind", .timeLimit(.minutes(5))
    )
    func cancelled() async throws {
        try await Self.with { bed in
            let sender = Sender(account: ShardsTests.person(of: 1, among: 2), shard: 1)
            var number: Int64 = 0
            for step in ShardMove.Step.allCases where step != .placed && step != .cleaned {
                await #expect(throws: Interrupted.self) {
                    try await bed.move(to: 1) { if $0 == step { throw Interrupted() } }
                }
                try await bed.move(to: 1, cancels: true)
                number += 1
                let answer = try await bed.test.upload(
                    number, [heartRates([60], from: IngestionTest.start - .seconds(Int64(5000) - number))],
                    device: sender.device, of: sender.account)
                #expect(answer.stored == 1)
                let places = try await [bed.isThere(0), bed.isThere(1)]
                #expect(places == [true, false])
                for cluster in 0...1 { #expect(try await bed.traces(in: cluster) == 0, "\(step)") }
            }
            let read = try await bed.test.readAll(sender.account).series
            #expect(read.reduce(0) { $0 + $1.count } == Int(number))
            await #expect(throws: ShardError.self) { try await bed.move(to: 1, cancels: true) }
        }
    }

    @Test(
        "NFR-04a: a move whose target is lost while it copies can be cancelled, and the source keeps no log for it",
        .timeLimit(.minutes(5)))
    func targetLost() async throws {
        try await Self.with { bed in
            await #expect(throws: Interrupted.self) {
                try await bed.move(to: 1) { if $0 == .subscribed { throw Interrupted() } }
            }
            let (source, target) = (bed.clusters[0].database(), bed.clusters[1].database())
            // As for a table that is being copied.
            let slot = try await target.queryOne(
                """
                select format('pg_%s_sync_1_%s', oid, (select system_identifier from pg_control_system()))
                from pg_subscription
                """, as: String.self)
            try await source.execute(
                "select pg_create_logical_replication_slot(\(try #require(slot)), 'pgoutput')")
            try await source.execute("select pg_create_logical_replication_slot('pg_1_sync_1_1', 'pgoutput')")
            await target.close()
            try await bed.clusters[1].kill()
            try await bed.move(to: 1, cancels: true)
            let left = try await source.query("select slot_name::text from pg_replication_slots", as: String.self)
            #expect(left == ["pg_1_sync_1_1"])
            await source.close()
            try await bed.clusters[1].start()
        }
    }

    @Test(
        "NFR-03b: with one shard's cluster away only its people wait, and readiness says which", .timeLimit(.minutes(5))
    )
    func away() async throws {
        try await Self.with { bed in
            let test = bed.test
            test.service.start()
            let senders = Self.senders(1)
            for sender in senders {
                _ = try await test.upload(1, [heartRates([60])], device: sender.device, of: sender.account)
            }
            try await bed.clusters[0].kill()
            let began = Deadline.now()
            #expect(
                try await test.upload(2, [heartRates([61])], device: senders[0].device, of: senders[0].account).stored
                    == 1)
            #expect(Deadline.now().since(began) < .seconds(1))
            #expect(try await test.get("latest", of: senders[0].account).status == .ok)
            async let waiting = test.send(2, [heartRates([61])], device: senders[1].device, of: senders[1].account)
            let report = String(decoding: try await test.service.ask("/readyz").collectedBody(), as: UTF8.self)
            #expect(report.contains(#""status":"degraded""#))
            #expect(report.contains(#""name":"shard 1","status":"failing""#))
            try await bed.clusters[0].start()
            // What waited is stored, or is sent again.
            let status = try await waiting.status
            #expect(status == .ok || status == .serviceUnavailable)
            try await Self.eventually("the shard's people go on") {
                try await test.send(2, [heartRates([61])], device: senders[1].device, of: senders[1].account).status
                    == .ok
            }
            #expect(
                try await test.readAll(senders[1].account).series.compactMap(\.values).flatMap { $0 }.sorted() == [
                    60, 61,
                ])
        }
    }

    @Test(
        "NFR-04a ACC-12b: the schema that a move leaves is dropped after its term, or at once when asked for, and is listed till then",
        .timeLimit(.minutes(5)))
    func oldSchema() async throws {
        try await Self.with { bed in
            let (test, context) = (bed.test, bed.test.service.context)
            let sender = Sender(account: ShardsTests.person(of: 1, among: 2), shard: 1)
            _ = try await test.upload(1, [heartRates([60])], device: sender.device, of: sender.account)
            let said = Mutex<[String]>([])
            func command(_ arguments: String...) async throws -> [String] {
                said.withLock { $0 = [] }
                try await ShardCommand.run(context, arguments) { word in said.withLock { $0.append(word) } }
                return said.withLock { $0 }
            }
            func isThere(_ move: Int32, in cluster: Int) async throws -> Bool {
                let name = MovedSchemas.name(of: bed.schema, version: move)
                return try await bed.clusters[cluster].counts(
                    "select 1 from pg_namespace where nspname = \(name)") == [1]
            }
            await #expect(throws: ShardError.self) { try await command("drop-moved", "1") }
            try await bed.move(to: 1)
            try await MovedSchemas(context).dropDue()
            #expect(try await isThere(1, in: 0))
            #expect(
                try await command("list").contains { $0.contains("\(bed.schema)_moved_1") && $0.contains("is dropped") }
            )
            try await test.database.execute("update moved_schema set left_at = left_at - interval '7 days 1 minute'")
            // Not before the move is complete.
            try await test.database.execute("update shard set moved_from = ''")
            try await MovedSchemas(context).dropDue()
            #expect(try await isThere(1, in: 0))
            try await test.database.execute("update shard set moved_from = null")
            try await MovedSchemas(context).dropDue()
            #expect(try await !isThere(1, in: 0))
            #expect(
                test.service.log.lines.contains { $0.contains("the old schema of a shard that has moved is dropped") })
            #expect(try await command("list").allSatisfy { !$0.contains("_moved_") })

            try await bed.move(to: 0)
            #expect(try await isThere(2, in: 1))
            #expect(try await command("drop-moved", "1") == ["\(bed.schema)_moved_2 is dropped."])
            #expect(try await !isThere(2, in: 1))
            try await bed.move(to: 1)
            try await MovedSchemas(context, days: 0).dropDue()
            #expect(try await !isThere(3, in: 0))
            try await bed.move(to: 0)
            _ = try await command("drop-moved", "1", "--forget")
            #expect(try await isThere(4, in: 1))
            #expect(try await MovedSchemas(context).rows().isEmpty)
            #expect(try await test.readAll(sender.account).series.map(\.values) == [[60]])
        }
    }

    @Test("Mistakes in a move are told in words: settings, place, cluster, wal_level")
    func mistakes() async throws {
        for arguments in [
            [], ["0", "--to", "own"], ["1"], ["1", "--to"], ["1", "--to", "own", "--cancel"], ["1", "--at", "x"],
        ] {
            #expect(throws: ShardError.self) { try ShardCommand.Move(arguments) }
        }
        try await Self.with { bed in
            await #expect(throws: ShardError.self) { try await bed.move(to: 0) }
            let wrong = Bed.place(bed.clusters[1], "another", bed.directory)
            await #expect(throws: ShardError.self) {
                _ = try await ShardCommand.prepared(
                    bed.test.service.context, try ShardCommand.Move(["1", "--to", wrong])
                ) { _ in }
            }
            try await bed.clusters[0].kill()
            try await bed.clusters[0].start("wal_level=replica")
            do {
                try await bed.move(to: 1)
                Issue.record("moved from a cluster without logical replication")
            } catch let error as ShardError {
                #expect(error.description.contains("set wal_level = logical"))
            }
        }
    }
}

extension PrivateCluster {
    fileprivate func counts(_ query: SQL) async throws -> [Int] {
        let database = database()
        let outcome: Result<[Int], any Error>
        do { outcome = .success(try await database.query(query, as: Int.self)) } catch { outcome = .failure(error) }
        await database.close()
        return try outcome.get()
    }
}
