import Contracts
import Domain
import Glibc
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import RPC
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts

@Suite struct ExportTests {
    /// Ingestion with a file of two pages; the second page fails so many times.
    private final class FakeIngestion: Sendable {
        let failures: Mutex<Int>
        let asked = Mutex<[String?]>([])

        init(failures: Int = 0) { self.failures = Mutex(failures) }

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(Ingestion.Export.self, allow: ["accounts"]) { params, _ in
                self.asked.withLock { $0.append(params.after) }
                var files = ExportFiles()
                guard params.after != nil else {
                    try files.add("samples/steps.csv", Array("type,time\r\n".utf8))
                    return .init(pieces: files.pieces, next: "second")
                }
                try self.failures.withLock { failures throws(RPCError) in
                    guard failures == 0 else {
                        failures -= 1
                        throw RPCError(.unavailable)
                    }
                }
                try files.add("samples/steps.csv", Array(repeating: UInt8(ascii: "x"), count: 700_000))
                try files.add("samples/weight.csv", Array("à\r\n".utf8))
                return .init(pieces: files.pieces, next: nil)
            }
            return LocalCaller(router: router, as: "accounts")
        }
    }

    private func worker(_ test: AccountsTest, _ ingestion: FakeIngestion) throws -> ExportWorker {
        let made = try test.capabilities.exportWorker
        return ExportWorker(
            exports: made.exports, own: made.own, peers: [.ingestion: ingestion.caller], log: made.log)
    }

    private func states(_ test: AccountsTest, _ who: LoggedIn) async throws -> [String?] {
        try await test.send(.get, "/me/exports", token: who.token).json["exports"]?.items.map { $0["state"]?.text }
            ?? []
    }

    private func archive(
        _ test: AccountsTest, _ id: String, _ who: LoggedIn, password: String = AccountsTest.password
    ) async throws -> HTTPResponse {
        try await test.service.call(
            .post, "/accounts/v1/me/exports/\(id)/archive", token: who.token,
            body: Array("{\"password\":\"\(password)\"}".utf8))
    }

    /// What another program makes of the archive, by path.
    private func unzipped(_ bytes: [UInt8], _ paths: [String]) async throws -> [String: String] {
        try await TestDirectory.with { directory in
            let file = directory.file("archive.zip")
            let stream = try #require(fopen(file, "w"))
            #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
            fclose(stream)
            try await ChildProcess.run(["unzip", "-tq", file], output: directory.file("test.txt"))
            var contents: [String: String] = [:]
            for (number, path) in paths.enumerated() {
                // Output is appended.
                try await ChildProcess.run(["unzip", "-p", file, path], output: directory.file("content-\(number)"))
                contents[path] = try directory.read("content-\(number)")
            }
            return contents
        }
    }

    @Test(
        "ACC-13: Everything comes in one archive that other programs read, and only who knows the password gets it")
    func whole() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let ingestion = FakeIngestion()
            let asked = try await test.send(.post, "/me/exports", token: anna.token)
            #expect(asked.status == 202)
            let id = try asked.text("export_id")
            #expect(try await test.send(.post, "/me/exports", token: anna.token).code == "export-under-way")
            #expect(try await archive(test, id, anna).status == .conflict)
            #expect(try await worker(test, ingestion).makeNext())
            #expect(try await states(test, anna) == ["ready"])
            #expect(try await archive(test, id, anna, password: "something else").status == .forbidden)
            let stranger = try await test.individual(TestPerson(number: 1))
            #expect(try await archive(test, id, stranger).status == .notFound)
            let bytes = try await archive(test, id, anna).collectedBody()
            let contents = try await unzipped(
                bytes,
                [
                    "index.html", "account/profile.json", "account/agreements.json", "samples/steps.csv",
                    "samples/weight.csv",
                ])
            #expect(contents["index.html"]?.contains("I tuoi dati di TrackMe") == true)
            #expect(contents["account/profile.json"]?.contains("anna@example.org") == true)
            #expect(contents["account/agreements.json"]?.contains("registration") == true)
            #expect(contents["samples/steps.csv"] == "type,time\r\n" + String(repeating: "x", count: 700_000))
            #expect(contents["samples/weight.csv"] == "à\r\n")
            // At rest it cannot be read.
            let stored = try await test.database.query("select content from export_piece", as: [UInt8].self)
            #expect(!stored.contains { $0.starts(with: Array("PK".utf8)) } && !stored.isEmpty)
            let messages = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items
            #expect(messages?.contains { $0["template"]?.text == "export-ready" } == true)
            // After a week nobody gets it, also before it is deleted.
            test.clock.advance(by: DataExports.life)
            let later = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await archive(test, id, later).status != .ok)
        }
    }

    /// Four services with a page each that fills a row, ingestion with two; each is told to `asked` first.
    private func neighbours(
        asked: @escaping @Sendable (ServiceName) async throws -> Void
    ) -> [ServiceName: any RPCCaller] {
        @Sendable func page(_ service: ServiceName, _ after: String?) async throws -> Exports.Page {
            try await asked(service)
            var files = ExportFiles()
            // Bytes that nothing compresses.
            try files.add("\(service.rawValue)/data.bin", randomBytes(300_000))
            return .init(pieces: files.pieces, next: service == .ingestion && after == nil ? "second" : nil)
        }
        var router = RPCRouter()
        router.register(Ingestion.Export.self, allow: ["accounts"]) { params, _ in
            try await page(.ingestion, params.after)
        }
        router.register(Query.Export.self, allow: ["accounts"]) { params, _ in try await page(.query, params.after) }
        router.register(Dispatcher.Export.self, allow: ["accounts"]) { params, _ in
            try await page(.dispatcher, params.after)
        }
        router.register(Track4Run.Export.self, allow: ["accounts"]) { params, _ in
            try await page(.track4run, params.after)
        }
        let caller = LocalCaller(router: router, as: "accounts")
        return [.ingestion: caller, .query: caller, .dispatcher: caller, .track4run: caller]
    }

    private struct Told: Sendable, Equatable {
        let service: ServiceName
        let state: String?
        let progress: Double?
    }

    @Test(
        "ACC-13: How far an archive is made is told meanwhile and only grows; who asks again meanwhile is told of the one under way"
    )
    func progress() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            // Of two who ask at once one begins it.
            async let one = test.send(.post, "/me/exports", token: anna.token)
            async let two = test.send(.post, "/me/exports", token: anna.token)
            let answers = try await [one, two].sorted { $0.status < $1.status }
            #expect(answers.map(\.status) == [202, 409] && answers[1].code == "export-under-way")
            let id = try answers[0].text("export_id")
            let told = Mutex<[Told]>([])
            @Sendable func listed() async throws -> [JSONValue] {
                try await test.send(.get, "/me/exports", token: anna.token).json["exports"]?.items ?? []
            }
            let peers = neighbours { service in
                let found = try await listed()
                #expect(found.map { $0["export_id"]?.text } == [id])
                told.withLock {
                    $0.append(
                        Told(
                            service: service, state: found.first?["state"]?.text,
                            progress: found.first?["progress"]?.double))
                }
                // Changes nothing of the one that is made.
                let again = try await test.send(.post, "/me/exports", token: anna.token)
                #expect(again.status == 409 && again.code == "export-under-way")
            }
            let made = try test.capabilities.exportWorker
            let worker = ExportWorker(exports: made.exports, own: made.own, peers: peers, log: made.log)
            #expect(try await worker.makeNext())
            let seen = told.withLock { $0 }
            #expect(seen.allSatisfy { $0.state == "making" })
            let progress = seen.compactMap(\.progress)
            #expect(progress == progress.sorted() && progress.first == 0)
            // All that the services before have is stored when one is asked first.
            let services: [ServiceName] = [.ingestion, .query, .dispatcher, .track4run]
            let first = services.map { service in seen.first { $0.service == service }?.progress }
            #expect(first == [0, 0.2, 0.4, 0.6])
            let ready = try #require(try await listed().first)
            #expect(ready["state"]?.text == "ready" && ready["progress"]?.double == 1)
            #expect(try await worker.makeNext() == false)
        }
    }

    @Test(
        "ACC-13: No file of an archive leads out of the folder that it is unpacked in",
        arguments: ["/etc/cron.d/x", "../x.json", "samples/../../x", "", "C:\\x", "samples/a\u{202e}.csv"])
    func paths(_ path: String) throws {
        var archive = ZIPArchive(at: .now())
        let piece = Exports.Piece(path: path, deflated: "", checksum: 0, count: 0)
        #expect(throws: StoredValueError.self) { try archive.add(piece) }
        #expect(ZIPArchive.isPath("samples/heart-rate.csv") && ZIPArchive.isPath("account/picture.jpg"))
    }

    @Test("ACC-13: A service that is away delays an archive; it begins anew, and is given up after two days")
    func failing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let ingestion = FakeIngestion(failures: 1)
            _ = try await test.send(.post, "/me/exports", token: anna.token)
            let worker = try worker(test, ingestion)
            #expect(try await worker.makeNext())
            #expect(try await states(test, anna) == ["waiting"])
            #expect(try await worker.makeNext() == false)
            test.clock.advance(by: .seconds(2))
            #expect(try await worker.makeNext())
            #expect(try await states(test, anna) == ["ready"])
            #expect(ingestion.asked.withLock { $0 } == [nil, "second", nil, "second"])

            let soon = try await test.send(.post, "/me/exports", token: anna.token)
            #expect(soon.status == 429)
            test.clock.advance(by: DataExports.pause)
            let again = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await test.send(.post, "/me/exports", token: again.token).status == 202)
            ingestion.failures.withLock { $0 = 100 }
            test.clock.advance(by: DataExports.patience + .seconds(1))
            #expect(try await worker.makeNext())
            let later = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await states(test, later) == ["failed", "ready"])
        }
    }

    @Test("ACC-13: An archive is kept for a week, replaces the one before, and goes with the account")
    func ends() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let worker = try worker(test, FakeIngestion())
            let first = try await test.send(.post, "/me/exports", token: anna.token).text("export_id")
            _ = try await worker.makeNext()
            test.clock.advance(by: DataExports.pause)
            let login = try LoggedIn(try await test.logIn("anna@example.org"))
            let second = try await test.send(.post, "/me/exports", token: login.token).text("export_id")
            _ = try await worker.makeNext()
            #expect(try await archive(test, first, login).status == .notFound)
            #expect(try await archive(test, second, login).status == .ok)
            try await test.database.execute(DataExports.forget(at: test.clock.now() + DataExports.life + .seconds(1)))
            #expect(try await states(test, login) == [])

            test.clock.advance(by: DataExports.pause)
            let last = try LoggedIn(try await test.logIn("anna@example.org"))
            _ = try await test.send(.post, "/me/exports", token: last.token)
            _ = try await test.send(
                .post, "/me/erasures", token: last.token, #"{"password":"correct horse battery","scope":"account"}"#)
            #expect(try await worker.makeNext() == false)
            #expect(try await test.database.queryOne("select count(*) from export_piece", as: Int.self) == 0)
        }
    }
}
