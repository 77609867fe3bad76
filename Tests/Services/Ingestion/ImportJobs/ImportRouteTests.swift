import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ImportRouteTests {
    private static func with(
        starting: Bool = true, _ body: @escaping @Sendable (ImportTest) async throws -> Void
    ) async throws {
        try await IngestionTest.with { test in
            if starting { test.service.start() }
            try await body(ImportTest(test: test, account: .random()))
        }
    }

    @Test("ING-04bgh: a file is taken as long work with a state and a report, and the same file again is stored once")
    func imports() async throws {
        try await Self.with { imports in
            let file = ImportTest.gpx(300)
            let first = try await imports.imported(file)
            #expect(first.report.taken == ["heart-rate": 300, "position": 300])
            #expect(first.report.repeated == 0 && first.report.failure == nil)
            #expect(first.receivedBytes == file.count && first.readBytes == file.count)
            #expect(first.lengthBytes == file.count)
            let second = try await imports.imported(file)
            #expect(second.report.repeated == 600)
            let read = try await imports.test.read(imports.account)
            #expect(read.series.map(\.count) == [300, 300])
            let position = read.series.first { $0.type == .position }
            #expect(position?.latitudes?[10] == 45.4001 && position?.altitudes?[0] == 120.5)
            struct List: Decodable { let imports: [ImportTest.Status] }
            let list: List = try await imports.test.decoded(try await imports.call(.get))
            #expect(Set(list.imports.map(\.id)) == [first.id, second.id])
            #expect(try await imports.test.database.query("select count(*) from import_data", as: Int64.self) == [0])
        }
    }

    @Test("ING-04h: what was read before a file breaks off stays, and the report says where it broke")
    func brokenFile() async throws {
        try await Self.with { imports in
            let status = try await imports.imported(ImportTest.gpx(20, end: "<trkpt lat"))
            #expect(status.report.taken["heart-rate"] == 20 && status.report.failure != nil)
            #expect(try await imports.test.read(imports.account).series.map(\.count) == [20, 20])
        }
    }

    @Test("ING-04: the whole of a file that broke off before counts what came before once")
    func wholeAfterBroken() async throws {
        struct Counted: Decodable {
            struct Statistics: Decodable { let count: Int }
            let statistics: Statistics
        }
        try await Self.with { imports in
            _ = try await imports.imported(ImportTest.gpx(20, end: "<trkpt lat"))
            _ = try await imports.imported(ImportTest.gpx(30))
            let answer: Counted = try await imports.test.decoded(
                try await imports.test.get(
                    "statistics?type=heart-rate&from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z",
                    of: imports.account))
            #expect(answer.statistics.count == 30)
        }
    }

    @Test("ING-04: a file of another format is refused in words, and one of no time tells why nothing was taken")
    func otherFormats() async throws {
        try await Self.with { imports in
            let response = try await imports.call(
                .post, "/ingestion/v1/imports", ["Content-Type": "application/octet-stream"], body: Array("hello".utf8))
            #expect(response.status == .unsupportedMediaType)
            #expect(try await imports.test.code(response) == "unsupported-format")
            let text = #"<gpx version="1.1"><trk><trkseg><trkpt lat="45" lon="9"/></trkseg></trk></gpx>"#
            let status = try await imports.imported(Array(text.utf8))
            #expect(status.report.taken.isEmpty && status.report.skipped.map(\.reason) == ["no-time"])
            // A beginning that is too short to tell is told by the worker.
            let path = try await Self.begin(imports, Array("he".utf8))
            _ = try await Self.append(imports, path, Array("llo".utf8), at: 2, isLast: true)
            #expect(try await imports.finished(path).report.failure != nil)
        }
    }

    // MARK: Resumable uploads

    private static func begin(_ imports: ImportTest, _ body: [UInt8], length: Int? = nil) async throws -> String {
        var fields: HTTPFields = ["Upload-Complete": "?0", "Content-Type": "application/octet-stream"]
        if let length { fields["Upload-Length"] = "\(length)" }
        let response = try await imports.call(.post, "/ingestion/v1/imports", fields, body: body)
        #expect(response.status == .created && response.fields["Upload-Offset"] == "\(body.count)")
        #expect(response.fields["Upload-Complete"] == "?0")
        return try #require(response.fields["Location"])
    }

    private static func append(
        _ imports: ImportTest, _ path: String, _ body: [UInt8], at offset: Int, isLast: Bool
    ) async throws -> HTTPResponse {
        try await imports.call(
            .patch, path,
            [
                "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
                "Upload-Complete": isLast ? "?1" : "?0",
            ], body: body)
    }

    @Test("ING-04g: a file that comes in several requests goes on where it was, and no byte is taken twice or left out")
    func resumes() async throws {
        try await Self.with { imports in
            let file = ImportTest.gpx(300)
            let path = try await Self.begin(imports, Array(file[..<1000]), length: file.count)
            let head = try await imports.call(.head, path)
            #expect(head.status == .ok && head.fields["Upload-Offset"] == "1000")
            #expect(head.fields["Upload-Complete"] == "?0" && head.fields["Upload-Length"] == "\(file.count)")
            // Not there.
            let wrong = try await Self.append(imports, path, Array(file[900..<2000]), at: 900, isLast: false)
            #expect(wrong.status == .conflict && wrong.fields["Upload-Offset"] == "1000")
            #expect(try await imports.test.code(wrong) == "mismatching-upload-offset")
            let next = try await Self.append(imports, path, Array(file[1000..<5000]), at: 1000, isLast: false)
            #expect(next.status == .noContent && next.fields["Upload-Offset"] == "5000")
            // Not all of it.
            let short = try await Self.append(imports, path, Array(file[5000..<6000]), at: 5000, isLast: true)
            #expect(short.status == .badRequest)
            #expect(try await imports.test.code(short) == "inconsistent-upload-length")
            let last = try await Self.append(imports, path, Array(file[6000...]), at: 6000, isLast: true)
            #expect(last.status == .accepted)
            let status = try await imports.finished(path)
            #expect(status.report.taken == ["heart-rate": 300, "position": 300] && status.report.failure == nil)
            let over = try await Self.append(imports, path, [1], at: file.count, isLast: true)
            #expect(over.status == .conflict)
            #expect(try await imports.test.code(over) == "completed-upload")
        }
    }

    @Test("ING-04g: what is malformed is refused, other people's imports are not there, and a deleted one is gone")
    func refused() async throws {
        try await Self.with(starting: false) { imports in
            let path = try await Self.begin(imports, [])
            for fields: HTTPFields in [
                ["Content-Type": "application/partial-upload", "Upload-Offset": "0"],
                ["Content-Type": "application/partial-upload", "Upload-Complete": "?1"],
                ["Content-Type": "application/partial-upload", "Upload-Offset": "-1", "Upload-Complete": "?1"],
                ["Content-Type": "application/partial-upload", "Upload-Offset": "0", "Upload-Complete": "yes"],
            ] {
                #expect(try await imports.call(.patch, path, fields, body: [1]).status == .badRequest)
            }
            let other = ImportTest(test: imports.test, account: .random())
            for method in [HTTPMethod.get, .head, .delete] {
                #expect(try await other.call(method, path).status == .notFound)
            }
            #expect(try await imports.call(.delete, path).status == .noContent)
            #expect(try await imports.call(.get, path).status == .notFound)
        }
    }

    @Test("ING-04: five imports of a person may be unfinished; then one has to end or be deleted")
    func tooMany() async throws {
        try await Self.with(starting: false) { imports in
            var paths: [String] = []
            for _ in 0..<5 { paths.append(try await Self.begin(imports, [])) }
            let sixth = try await imports.call(.post, "/ingestion/v1/imports", ["Upload-Complete": "?0"])
            #expect(sixth.status == .tooManyRequests)
            #expect(try await imports.test.code(sixth) == "too-many-imports")
            _ = try await imports.call(.delete, paths[2])
            _ = try await Self.begin(imports, [])
        }
    }

    @Test(
        "ING-04 NFR-02: a person's files that are not read yet have 4 GiB together, and what is refused can go on later"
    )
    func tooMuch() async throws {
        try await Self.with(starting: false) { imports in
            let (file, max) = (ImportTest.gpx(50), Int(ImportJobStore.unfinishedBytesMax))
            let large = try await Self.begin(imports, [])
            let path = try await Self.begin(imports, Array(file[..<1000]))
            // As if so much had come of the other one.
            let job = try #require(UUID(large.split(separator: "/").last.map(String.init) ?? ""))
            try await imports.test.database.execute(
                "update import_job set received = \(Int64(max - 2000)) where job = \(job)")
            #expect(
                try await Self.append(imports, path, Array(file[1000..<2000]), at: 1000, isLast: false).status
                    == .noContent)
            let refused = try await Self.append(imports, path, Array(file[2000...]), at: 2000, isLast: true)
            #expect(refused.status == .tooManyRequests && refused.fields["Retry-After"] == "60")
            #expect(try await imports.test.code(refused) == "too-much-to-import")
            let third = try await imports.call(
                .post, "/ingestion/v1/imports", ["Upload-Complete": "?0", "Upload-Length": "1000"])
            #expect(third.status == .tooManyRequests)
            #expect(try await imports.test.code(third) == "too-much-to-import")
            // Nobody else's files count.
            let other = ImportTest(test: imports.test, account: .random())
            _ = try await Self.begin(other, Array(file[..<1000]), length: max)
            _ = try await imports.call(.delete, large)
            let last = try await Self.append(imports, path, Array(file[2000...]), at: 2000, isLast: true)
            #expect(last.status == .accepted)
        }
    }

    @Test("ING-04g: an upload is given up two days after the last byte, and a week after it was begun whatever comes")
    func abandoned() async throws {
        try await Self.with(starting: false) { imports in
            let database = imports.test.database
            let begun: [(days: Int64, silentHours: Int, isKept: Bool)] = [(6, 0, true), (8, 0, false), (1, 49, false)]
            for (days, hours, isKept) in begun {
                let path = try await Self.begin(imports, Array("<gpx".utf8))
                let job = try #require(UUID(path.split(separator: "/").last.map(String.init) ?? ""))
                let (now, age) = (imports.test.service.clock.now(), Duration.seconds(86_400 * days))
                try await database.execute(
                    """
                    update import_job set created_at = \(now - age),
                      changed_at = now() - \(Int64(hours)) * interval '1 hour' where job = \(job)
                    """)
                if isKept {
                    let head = try await imports.call(.head, path)
                    #expect(head.fields["Upload-Limit"]?.hasSuffix("max-age=86400") == true)
                }
                try await database.execute(ImportJobStore.deleteAbandoned(at: now))
                #expect(try await imports.call(.get, path).status == (isKept ? .ok : .notFound))
            }
        }
    }

    @Test("A file is cut into the same parts however its bytes arrive")
    func parts() {
        let bytes = ImportTest.gpx(250)
        func parts(of pieceBytes: Int) -> [ImportParts.Part] {
            let importer = GPXImporter(clock: testClock)
            var parts = ImportParts(samplesMax: 200)
            var all: [ImportParts.Part] = []
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                all += parts.add(importer.consume(Array(bytes[start..<min(start + pieceBytes, bytes.count)])))
            }
            all += parts.add(importer.finish())
            return all + parts.finish()
        }
        let whole = parts(of: bytes.count)
        #expect(whole.map(\.batch.count) == [200, 200, 50, 50])
        #expect(parts(of: 701) == whole)
    }
}
