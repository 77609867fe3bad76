import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Query
@testable import Statistics

@Suite struct ValueRemovalTests {
    private static let days = (1...3).map { CalendarDate("2025-06-0\($0)")! }
    private static let columns = [DataType.heartRate, .steps, .sleep].flatMap { type in
        days.map { ColumnKey.values(type, $0) }
    }.sorted { ($0.series, $0.day) < ($1.series, $1.day) }
    /// In three blocks.
    private static let subjects: [Int32] = [0, 1, 2, 4095, 4096, 4097, 9000]
    private static let cellBytes = 2

    private struct Block: Hashable {
        let key: ColumnKey
        let number: Int32
    }

    /// The bytes of a block, and where its row lies, which is another place when it was written anew.
    private struct Stored: Equatable {
        var bytes: [UInt8]
        let row: String
    }

    private func add(_ subjects: [Int32] = subjects, to columns: [ColumnKey] = columns, in world: World) async throws {
        for (index, key) in columns.enumerated() {
            let cells = subjects.map { ValueCell(contribution: $0 % 100 + Int32(index)) }
            try await world.statistics.batch(try ColumnStore.adding(cells, of: subjects, to: key, at: World.start))
        }
    }

    private func merge(in world: World) async throws {
        while try await ColumnStore.mergeSome(in: world.statistics) {}
    }

    private func erase(_ subjects: [Int32], in world: World) async throws {
        try await world.apply(
            ProfileIntake(clock: world.clock),
            try subjects.map { try World.record("erased", ["subject": $0], version: 2) })
    }

    private func removal(in world: World, cellsMax: Int = ValueRemoval.subjectsMax) -> ValueRemoval {
        ValueRemoval(database: world.statistics, metrics: world.service.context.metrics, cellsMax: cellsMax)
    }

    private func blocks(in world: World) async throws -> [Block: Stored] {
        let rows = try await world.statistics.query(
            "select series, day, block, cells, ctid::text from cell_block where series > 0",
            as: Int16.self, CalendarDate.self, Int32.self, [UInt8].self, String.self)
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                (Block(key: ColumnKey(series: $0, day: $1), number: $2), Stored(bytes: $3, row: $4))
            })
    }

    /// The subjects with a value in a column.
    private func present(_ key: ColumnKey, in world: World) async throws -> [Int32] {
        let column = try await ColumnStore.load(key, of: ValueCell.self, from: world.statistics)
        return column.cells.indices.filter { column.cells[$0].isPresent }.map { Int32($0) }
    }

    private func waiting(in world: World) async throws -> Int64? {
        try await world.statistics.queryOne("select count(*) from value_removal", as: Int64.self)
    }

    @Test("ACC-12b GRP-09: The values of who is erased leave every series and day; others' stay bit for bit")
    func everywhere() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            let erased: [Int32] = [1, 4095, 4096]
            let before = try await blocks(in: world)
            #expect(before.count == Self.columns.count * 3)
            try await erase(erased, in: world)
            try await removal(in: world).run()
            let after = try await blocks(in: world)
            for (block, stored) in before {
                let places = erased.filter { $0 / 4096 == block.number }.map { Int($0 % 4096) * Self.cellBytes }
                var expected = stored.bytes
                for place in places { expected[place..<place + Self.cellBytes] = [0, 0] }
                #expect(after[block]?.bytes == expected, "\(block)")
                // Only blocks with values of these people are written.
                #expect((after[block]?.row == stored.row) == places.isEmpty, "\(block)")
            }
            #expect(after.count == before.count)
            #expect(try await waiting(in: world) == 0)
        }
    }

    @Test("ACC-12b: What has arrived of who is erased and is not merged counts no more, and is merged without it")
    func unmerged() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            let (beside, alone) = (Self.columns[0], ColumnKey.values(.weight, Self.days[0]))
            try await add([1, 3, 4098], to: [beside], in: world)
            try await add(to: [alone], in: world)
            try await erase([1, 4098], in: world)
            #expect(try await present(alone, in: world) == [0, 2, 4095, 4096, 4097, 9000])
            try await removal(in: world).run()
            for _ in 0..<2 {
                #expect(try await present(beside, in: world) == [0, 2, 3, 4095, 4096, 4097, 9000])
                #expect(try await present(alone, in: world) == [0, 2, 4095, 4096, 4097, 9000])
                try await merge(in: world)
            }
            #expect(try await world.statistics.queryOne("select count(*) from arrival", as: Int64.self) == 0)
        }
    }

    @Test("ACC-12b GRP-09: What comes late under an erased number does not come back, whatever becomes of the profile")
    func late() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            try await erase([1], in: world)
            try await removal(in: world).run()
            // As after a snapshot of accounts that was restored from a backup.
            try await world.snapshot(
                ProfileIntake(clock: world.clock), [try World.entity("profile", SubjectMaskTests.profile(1))])
            let later = Self.days[2].adding(days: 1)
            for day in [Self.days[0], later] {
                try await world.apply(
                    RollupIntake(clock: world.clock),
                    [
                        try World.record(
                            "day",
                            Ingestion.DayRollups(
                                type: .heartRate, day: day, subjects: [1, 50], values: [60, 70], publication: nil))
                    ])
            }
            for _ in 0..<2 {
                #expect(
                    try await present(.values(.heartRate, Self.days[0]), in: world)
                        == [0, 2, 50, 4095, 4096, 4097, 9000])
                #expect(try await present(.values(.heartRate, later), in: world) == [50])
                try await merge(in: world)
            }
            #expect(try await removal(in: world).step() == false)
        }
    }

    @Test("ACC-12b NFR-04: A removal that breaks off goes on where it was, and who is erased meanwhile is next")
    func brokenOff() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            try await erase([1, 4096], in: world)
            // Two people in one column at a time, after the beginning.
            let first = removal(in: world, cellsMax: 2)
            for _ in 0..<5 { #expect(try await first.step()) }
            for (index, column) in Self.columns.enumerated() {
                let isDone = try await present(column, in: world) == [0, 2, 4095, 4097, 9000]
                #expect(isDone == (index < 4), "\(column)")
            }
            let halfway = try await blocks(in: world)
            try await erase([4097], in: world)

            let second = removal(in: world, cellsMax: 2)
            for _ in 0..<Self.columns.count - 4 { #expect(try await second.step()) }
            #expect(try await waiting(in: world) == 3)
            for column in Self.columns {
                #expect(try await present(column, in: world) == [0, 2, 4095, 4097, 9000])
            }
            let done = try await blocks(in: world)
            for (block, stored) in halfway where Self.columns.prefix(4).contains(block.key) {
                #expect(done[block] == stored, "\(block)")
            }
            try await second.run()
            for column in Self.columns { #expect(try await present(column, in: world) == [0, 2, 4095, 9000]) }
            #expect(try await waiting(in: world) == 0)
            #expect(try await world.statistics.queryOne("select count(*) from value_removal_walk", as: Int64.self) == 0)
        }
    }

    @Test("ACC-12b NFR-04: What another replica is merging while somebody is erased is removed, too")
    func beingMerged() async throws {
        try await World.with { world in
            let key = Self.columns[0]
            try await add(to: [key], in: world)
            let removing = try await world.statistics.transaction { other in
                // As a merger that has read who is erased, and has not written.
                try await other.execute(ColumnStore.locking(key))
                try await erase([1], in: world)
                let removing = Task { try await removal(in: world).run() }
                let deadline = Deadline.after(.patience)
                while try await other.queryOne(
                    "select exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)))",
                    as: Bool.self) != true
                { try #require(!deadline.hasPassed) }
                var column = CellColumn<ValueCell>()
                try column.merge(
                    subjects: Self.subjects,
                    bytes: CellColumn.bytes(Self.subjects.map { _ in ValueCell(contribution: 7) }))
                try await other.execute(
                    "insert into cell_block values (\(key.series), \(key.day), 0, \(column.bytes(block: 0)))")
                try await other.execute("delete from arrival")
                return removing
            }
            try await removing.value
            #expect(try await present(key, in: world) == [0, 2, 4095])
        }
    }

    @Test("ACC-12b GRP-09: An answer that was given stays as it is; a question that is new counts without the erased")
    func released() async throws {
        try await World.with { world in
            try await GroupRequestTests.populate(world, count: 1100)
            let question = GroupRequestTests.question
            let given = try await world.asCompany(.post, "/group-requests", question)
            #expect(given.status == 200, "\(given.text)")
            let releases: SQL = "select md5(string_agg(release::text, ',' order by id)) from release"
            let before = try await world.statistics.queryOne(releases, as: String.self)
            try await world.round()
            try await erase((0..<200).map { Int32($0) }, in: world)
            // All in the background.
            try await world.round()
            #expect(try await present(.values(.heartRate, GroupRequestTests.days[0]), in: world).count == 900)
            world.clock.advance(by: .seconds(10))
            #expect(try await world.asCompany(.post, "/group-requests", question)["buckets"] == given["buckets"])
            #expect(try await world.statistics.queryOne(releases, as: String.self) == before)
            let other = try await world.asCompany(.post, "/group-requests", question.replacing("65", with: "66"))
            #expect(other.status == 403 && other.code == "too-few-people")
        }
    }

    @Test("ACC-12b NFR-04: Values go when a snapshot says that a number is erased, not when it lacks a number")
    func snapshot() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            for _ in 0..<2 {
                try await world.snapshot(
                    ProfileIntake(clock: world.clock),
                    [
                        try World.entity("profile", SubjectMaskTests.profile(0)),
                        try World.entity("erased", ["subject": 1], version: 2),
                    ])
                // Told again, nothing is removed again.
                #expect(try await waiting(in: world) == 1)
            }
            try await removal(in: world).run()
            for column in Self.columns {
                #expect(try await present(column, in: world) == [0, 2, 4095, 4096, 4097, 9000])
            }
            try await world.snapshot(
                ProfileIntake(clock: world.clock), [try World.entity("erased", ["subject": 1], version: 2)])
            #expect(try await removal(in: world).step() == false)
        }
    }

    @Test("ACC-12b NFR-03: One replica removes at a time, and the metric tells for how many people it is to be done")
    func replicas() async throws {
        try await World.with { world in
            try await add(in: world)
            try await merge(in: world)
            try await erase([0, 1, 9000], in: world)
            let removal = removal(in: world)
            try await world.statistics.transaction { other in
                try await other.execute("select pg_advisory_xact_lock(\(sql: ValueRemoval.lock))")
                try await removal.run()
            }
            #expect(removal.waiting.value == 3)
            let text = String(decoding: await world.service.context.metrics.text(), as: UTF8.self)
            #expect(text.contains("trackme_statistics_erased_waiting 3"))
            try await removal.run()
            #expect(removal.waiting.value == 0)
            #expect(try await present(Self.columns[0], in: world) == [2, 4095, 4096, 4097])
        }
    }

    @Test("ACC-12b: Bits of erased people that have not the form they were stored in are refused")
    func bits() throws {
        var erased = ErasedSubjects()
        var block = [UInt8](repeating: 0, count: 512)
        block[511] = 0x80
        try erased.load(block: 1, bits: block)
        #expect((0..<10_000).filter { erased.contains($0) } == [8191])
        #expect(throws: ColumnError.malformed) { try erased.load(block: 0, bits: [1]) }
        #expect(throws: ColumnError.malformed) { try erased.load(block: 4096, bits: block) }
        #expect(throws: ColumnError.malformed) { try erased.load(block: -1, bits: block) }
    }
}
