import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Ingestion

@Suite struct ImportWorkerTests {
    /// Enough for four parts: two of heart rates and two of positions.
    private static let seconds = 12_000

    @Test(
        "ING-04g: an import whose worker ended in the middle is gone on with, and everything is stored and counted once"
    )
    func endsInTheMiddle() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            // All but the first part are refused by the database.
            try await test.database.execute(
                """
                create function fail() returns trigger language plpgsql as $$ begin
                  if (select count(*) from import_part) >= 2 then raise exception 'no more'; end if;
                  return null;
                end $$
                """)
            try await test.database.execute(
                "create constraint trigger fail after insert on import_part for each row execute function fail()")
            let path = try await imports.send(ImportTest.gpx(Self.seconds))
            test.service.start()
            try await Self.eventually {
                let waiting = try await test.database.query(
                    "select tries from import_job where lease is null", as: Int32.self)
                return try await Self.parts(test) == 1 && waiting == [0]
            }
            #expect(try await imports.status(path).state == "reading")
            try await test.database.execute("drop trigger fail on import_part")
            try await Self.eventually {
                // The worker may only be about to pause.
                test.service.pacing.tick()
                return try await imports.status(path).state == "done"
            }
            let status = try await imports.status(path)
            #expect(status.report.taken == ["heart-rate": Self.seconds, "position": Self.seconds])
            #expect(status.report.repeated == 0 && status.report.failure == nil)
            #expect(try await Self.parts(test) == 4)
            let read = try await test.read(imports.account)
            #expect(read.series.reduce(0) { $0 + $1.count } == 2 * Self.seconds)
        }
    }

    @Test("ING-04g: an import of a process that is gone is taken over when its lease has passed, and not before")
    func takenOver() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let path = try await imports.send(ImportTest.gpx(10))
            let job = try await test.database.queryOne(
                ImportJobStore.claim(lease: .random(), leaseSeconds: 600), as: ImportJob.self)
            #expect(job?.state == .reading && job?.tries == 1)
            #expect(
                try await test.database.queryOne(
                    ImportJobStore.claim(lease: .random(), leaseSeconds: 600), as: ImportJob.self) == nil)
            try await test.database.execute("update import_job set lease_until = now() - interval '1 second'")
            test.service.start()
            #expect(try await imports.finished(path).report.taken == ["heart-rate": 10, "position": 10])
        }
    }

    @Test("ING-04: operators see how many files wait to be read and are being read")
    func counted() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let metrics = Metrics()
            let count = ImportCount(database: test.database, shard: 3, metrics: metrics)
            func text() async -> String { String(decoding: await metrics.text(), as: UTF8.self) }
            _ = try await imports.send(ImportTest.gpx(10))
            try await count.count()
            #expect(await text().contains("trackme_ingestion_imports{shard=\"3\",state=\"waiting\"} 1\n"))
            let claim = ImportJobStore.claim(lease: .random(), leaseSeconds: 600)
            #expect(try await test.database.queryOne(claim, as: ImportJob.self) != nil)
            try await count.count()
            #expect(await text().contains("trackme_ingestion_imports{shard=\"3\",state=\"waiting\"} 0\n"))
            #expect(await text().contains("trackme_ingestion_imports{shard=\"3\",state=\"reading\"} 1\n"))
        }
    }

    @Test("ING-04g NFR-03: a lease that a clock has made before it was set back holds up nothing")
    func clockSetBack() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            _ = try await imports.send(ImportTest.gpx(10))
            let claim = ImportJobStore.claim(lease: .random(), leaseSeconds: ImportWorker.leaseSeconds)
            #expect(try await test.database.queryOne(claim, as: ImportJob.self) != nil)
            try await test.database.execute("update import_job set lease_until = lease_until + interval '2 hours'")
            #expect(try await test.database.queryOne(claim, as: ImportJob.self)?.tries == 2)
        }
    }

    @Test("ING-04 NFR-01: what was imported is in blocks soon after, so that readers need not open all its parts")
    func sealed() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            test.service.start()
            #expect(try await imports.imported(ImportTest.gpx(10)).report.failure == nil)
            try await Self.eventually {
                try await test.database.queryOne("select sealed_through from person", as: Int32.self) ?? 0 > 0
            }
        }
    }

    @Test("ING-04g SUB-02: of an app's newer export followers get what is new in it, and the report counts the rest")
    func newerExport() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            test.service.start()
            #expect(try await imports.imported(ImportTest.gpx(100)).report.repeated == 0)
            try await Self.eventually {
                try await test.database.queryOne("select sealed_through from person", as: Int32.self) == 2
            }
            let (first, next) = try await test.readAll(imports.account)
            #expect(first.reduce(0) { $0 + $1.count } == 200)
            let report = try await imports.imported(ImportTest.gpx(130)).report
            #expect(report.taken == ["heart-rate": 130, "position": 130] && report.repeated == 200)
            let second = try await test.readAll(imports.account, from: next).series
            #expect(second.map(\.count) == [30, 30])
            // The same once more has nothing new, and leaves nothing.
            #expect(try await imports.imported(ImportTest.gpx(130)).report.repeated == 260)
            let all = try await test.readAll(imports.account).series
            #expect(all.reduce(0) { $0 + $1.count } == 260)
        }
    }

    @Test("ING-04g NFR-02: a file that takes long keeps nobody else's waiting, but the next one of the same person")
    func turns() async throws {
        try await IngestionTest.with { test in
            let (one, other) = (
                ImportTest(test: test, account: .random()), ImportTest(test: test, account: .random())
            )
            // The first one's file does not get beyond its first part while the test holds this lock.
            let lock: SQL = "pg_advisory_xact_lock(hashtext(current_schema()))"
            try await test.database.batch([
                """
                create function hold() returns trigger language plpgsql as $$ begin
                  perform pg_advisory_xact_lock(hashtext(current_schema()));
                  return new;
                end $$
                """,
                """
                create trigger hold before update on import_job for each row
                when (new.account_id = \(raw: "'\(one.account)'") and new.progress is not null) execute function hold()
                """,
            ])
            let (long, next) = (try await one.send(ImportTest.gpx(10)), try await one.send(ImportTest.gpx(20)))
            let path = try await other.send(ImportTest.gpx(30))
            try await test.database.transaction { transaction in
                try await transaction.execute("select \(sql: lock)::text")
                test.service.start()
                #expect(try await other.finished(path).report.taken["heart-rate"] == 30)
                // Both came in the same moment: either may be the first.
                let states = [try await one.status(long).state, try await one.status(next).state]
                #expect(states.contains("waiting"))
            }
            #expect(try await one.finished(long).report.taken["heart-rate"] == 10)
            #expect(try await one.finished(next).report.taken["heart-rate"] == 20)
        }
    }

    @Test(
        "ING-04h ING-10b: what a file brings for days whose samples had to go fills their hours, or is reported as not kept"
    )
    func beyondQuota() async throws {
        try await IngestionTest.with { test in
            struct Series: Decodable {
                struct Bucket: Decodable { let count: Int }
                let buckets: [Bucket]
            }
            let imports = ImportTest(test: test, account: .random())
            test.service.start()
            _ = try await imports.imported(ImportTest.gpx(100))
            try await Self.eventually {
                try await test.database.queryOne("select sealed_through from person", as: Int32.self) == 2
            }
            try await test.database.execute("update block set samples = null")
            // From 7:00 to 8:01:40.
            let report = try await imports.imported(ImportTest.gpx(3700)).report
            #expect(report.taken == ["heart-rate": 3700, "position": 3700])
            #expect(report.beyondQuota == 7200 && report.repeated == 0)
            let path = "series?type=heart-rate&granularity=hour&from=2026-05-01T07:00:00Z&to=2026-05-01T09:00:00Z"
            let series: Series = try await test.decoded(try await test.get(path, of: imports.account))
            #expect(series.buckets.map(\.count) == [100, 100])
        }
    }

    @Test("ING-04g: a file at which processes have ended again and again is given up, and the report says so")
    func givenUp() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let path = try await imports.send(ImportTest.gpx(10))
            try await test.database.execute("update import_job set tries = \(ImportWorker.triesMax)")
            test.service.start()
            let status = try await imports.finished(path)
            #expect(status.report.failure?.explanation == "The file could not be read: it has ended 5 attempts.")
        }
    }

    @Test(
        "ING-04g: a file that cannot be read lets others come first, and is given up after as many attempts as others")
    func unreadable() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let broken = try await imports.send(ImportTest.gpx(10))
            try await test.database.execute("update import_data set sealed = decode('00', 'hex')")
            try await test.database.execute("update import_job set created_at = created_at - interval '1 hour'")
            let other = try await imports.send(ImportTest.gpx(20))
            test.service.start()
            #expect(try await imports.finished(other).report.taken == ["heart-rate": 20, "position": 20])
            #expect(
                try await test.database.query(
                    "select tries from import_job where state = 'waiting' and lease is not null", as: Int32.self) == [1]
            )
            try await test.database.execute(
                """
                update import_job set tries = \(ImportWorker.triesMax), lease_until = now() - interval '1 second'
                where state = 'waiting'
                """)
            // The worker looks for files when one is complete.
            _ = try await imports.send(ImportTest.gpx(1))
            let status = try await imports.finished(broken)
            #expect(status.report.failure?.explanation == "The file could not be read: it has ended 5 attempts.")
        }
    }

    @Test("ING-04gh: a progress that cannot be read stops neither the list of imports nor the reading")
    func unreadableProgress() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let path = try await imports.send(ImportTest.gpx(10))
            try await test.database.execute("update import_job set progress = decode('00', 'hex')")
            let before = try await imports.status(path)
            #expect(before.report.failure?.explanation == "The report of this import cannot be read.")
            #expect(try await imports.call(.get).status == .ok)
            test.service.start()
            let after = try await imports.finished(path)
            #expect(after.report.taken == ["heart-rate": 10, "position": 10] && after.report.failure == nil)
        }
    }

    @Test("ING-04g: parts that other readers have cut are not taken for those of these")
    func otherReaders() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            let path = try await imports.send(ImportTest.gpx(10))
            let jobs = try await test.database.query(ImportJobStore.jobs(of: imports.account), as: ImportJob.self)
            let job = try #require(jobs.first)
            let key = try #require(try await test.keys.key(of: imports.account))
            var progress = ImportProgress()
            progress.readers = ImportReading.version - 1
            progress.partsBegun = 100
            let sealed = try progress.sealed(key, at: job.progressLocation)
            try await test.database.execute("update import_job set progress = \(sealed)")
            test.service.start()
            #expect(try await imports.finished(path).report.taken == ["heart-rate": 10, "position": 10])
            #expect(try await test.read(imports.account).series.map(\.count) == [10, 10])
        }
    }

    @Test("ACC-12b ING-04: with a person their imports are erased, and pieces of files rest encrypted")
    func erased() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: .random())
            _ = try await imports.send(ImportTest.gpx(10))
            let stored = try await test.database.query("select sealed from import_data", as: [UInt8].self)
            #expect(stored.count == 1)
            let text = Array("trkpt".utf8)
            #expect(!(stored.first ?? []).indices.contains { (stored.first ?? [])[$0...].starts(with: text) })
            try await test.erase(imports.account)
            #expect(try await test.database.query("select job from import_job", as: UUID.self).isEmpty)
            #expect(try await test.database.query("select job from import_data", as: UUID.self).isEmpty)
        }
    }

    private static func parts(_ test: IngestionTest) async throws -> Int64 {
        try await test.database.query("select count(*) from import_part", as: Int64.self)[0]
    }

    private static func eventually(_ isTrue: () async throws -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while try await !isTrue() {
            try #require(!deadline.hasPassed, "it does not come about")
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }
}
