import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// What a person has deleted, and files that hold it again.
@Suite struct DeletedSpansTests {
    private let account = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    private func content(_ types: [DataType], _ from: Int, _ to: Int) -> SpanDeletion.Content {
        SpanDeletion.Content(types: DataType.mask(types), from: noon + .seconds(from), to: noon + .seconds(to))
    }

    private func ask(
        _ test: IngestionTest, _ types: String?, _ from: Timestamp, _ to: Timestamp
    ) async throws -> HTTPResponse {
        let member = types.map { "\"types\": [\"\($0)\"], " } ?? ""
        let body = "{\(member)\"from\": \"\(from)\", \"to\": \"\(to)\"}"
        return try await test.post("deletions", Array(body.utf8), token: try test.token(of: account))
    }

    private func eventually(_ isTrue: () async throws -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while try await !isTrue() {
            try #require(!deadline.hasPassed, "it does not come about")
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
    }

    @Test(
        "ING-04 NFR-06a: what a person has deleted does not come back with an app's next export, and the report counts it"
    )
    func nextExport() async throws {
        try await IngestionTest.with { test in
            let imports = ImportTest(test: test, account: account)
            test.service.start()
            let begin = Timestamp("2026-05-01T07:00:00Z")!
            #expect(try await imports.imported(ImportTest.gpx(60)).report.deleted == 0)
            try await eventually {
                try await test.database.queryOne("select sealed_through from person", as: Int32.self) == 2
            }
            // Of positions half, of heart rates all until now and beyond.
            for (type, from, to) in [("position", 10, 40), ("heart-rate", 0, 400 * 86_400)] {
                let asked = try await ask(test, type, begin + .seconds(from), begin + .seconds(to))
                #expect(asked.status == .accepted)
            }
            try await eventually {
                try await test.database.queryOne("select count(*) from deletion where is_done", as: Int.self) == 2
            }
            // As when they are listed no more.
            try await test.database.execute("delete from deletion")
            let report = try await imports.imported(ImportTest.gpx(80)).report
            #expect(report.taken == ["heart-rate": 80, "position": 80])
            #expect(report.deleted == 80 + 30 && report.repeated == 30 && report.dropped == 0)
            let again = try await imports.imported(ImportTest.gpx(80)).report
            #expect(again.deleted == 80 + 30 && again.repeated == 50)
            let stored = try await test.readAll(account).series
            #expect(Set(stored.map(\.type)) == [.position])
            let times = stored.flatMap { one in (0..<one.count).map { one.time($0) } }
            #expect(times.sorted() == (0..<80).filter { !(10..<40).contains($0) }.map { begin + .seconds($0) })

            // What devices send is kept, and what is measured after the wish, also in files.
            let upload = try await test.upload(1, [heartRates([61], from: begin)], device: .random(), of: account)
            #expect(upload.stored == 1)
            test.service.clock.advance(by: .seconds(86_400))
            let later = test.service.clock.now() - .seconds(3600)
            let table = "type,time,value\nheart-rate,\(later),70\nheart-rate,\(later - .seconds(90_000)),71\n"
            let new = try await imports.imported(Array(table.utf8)).report
            #expect(new.taken == ["heart-rate": 2] && new.deleted == 1 && new.repeated == 0)
            let rates = try await test.readAll(account, [.heartRate]).series
            #expect(rates.flatMap { $0.values ?? [] }.sorted() == [61, 70])
        }
    }

    @Test("NFR-06a: deleted spans are joined where they overlap or touch, and end when they were deleted")
    func joined() throws {
        var spans = DeletedSpans()
        for one in [
            content([.heartRate, .steps], -300, -200), content([.heartRate], -500, -400),
            content([.heartRate], -400, -300), content([.heartRate], -150, 900), content([.steps], -250, -249),
            content([.position], 10, 20),
        ] { spans.add(one, askedAt: noon) }
        // -500 to -200 and -150 to 0 of heart rates, -300 to -200 of steps.
        #expect(spans.count == 3 && Set(DataType.types(in: spans.types)) == [.heartRate, .steps])
        let key = SubjectKey.random()
        let read = try DeletedSpans(opening: spans.sealed(with: key, of: account), with: key, of: account)
        #expect(read == spans)
        let isContained = [-501, -500, -201, -200, -150, -1, 0].map {
            read.contain(.heartRate, (noon + .seconds($0)).milliseconds)
        }
        #expect(isContained == [false, true, true, false, true, true, false])
        #expect(try DeletedSpans(opening: nil, with: key, of: account) == DeletedSpans())
        #expect(throws: SecurityError.self) {
            try DeletedSpans(opening: spans.sealed(with: key, of: account), with: key, of: .random())
        }
    }

    @Test("NFR-02: of spans that do not touch a person deletes so many, and longer ones that join them")
    func limit() async throws {
        var spans = DeletedSpans()
        for index in 0..<DeletedSpans.countMax {
            spans.add(content([.weight], -10 * index - 5, -10 * index), askedAt: noon)
        }
        let full = spans
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: .random(), of: account)
            let key = try #require(try await test.keys.key(of: account))
            try await test.database.execute(DeletedSpans.keep(full.sealed(with: key, of: account), of: account))
            let refused = try await ask(test, "weight", noon - .seconds(7), noon - .seconds(6))
            #expect(refused.status == .conflict)
            #expect(try await test.code(refused) == "too-many-spans")
            #expect(try await test.database.queryOne("select count(*) from deletion", as: Int.self) == 0)
            for seconds in [1000, 7] {
                #expect(try await ask(test, nil, noon - .seconds(seconds), noon).status == .accepted)
            }
        }
    }
}
