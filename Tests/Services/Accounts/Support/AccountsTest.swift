import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts

/// A running service and the steps that tests repeat.
struct AccountsTest: Sendable {
    static let password = "correct horse battery"

    let service: TestService<TestAccounts>
    let settings: TestAccounts.Settings

    static func with<R: Sendable>(
        terms: TermsCatalogue = .current, provisioningClients: Set<String> = ["simulator"],
        push: PushPart? = PushPart(key: VAPIDKey(.random()), allowPrivate: true, tls: nil), keys: ServiceKeys? = nil,
        peers: [String: any RPCCaller] = [:],
        _ body: @escaping @Sendable (AccountsTest) async throws -> R
    ) async throws -> R {
        try await TestDatabase.with { store in
            try await Migrations(schema: store.schema, KeyStoreSchema.migrations).run(on: store.database)
            let settings = TestAccounts.Settings(
                terms: terms, provisioningClients: provisioningClients, push: push, keyDatabase: store.database)
            return try await TestService<TestAccounts>.with(settings: settings, peers: peers, keys: keys) { service in
                try await body(AccountsTest(service: service, settings: settings))
            }
        }
    }

    /// As the service lists them.
    var sealedDatabases: [SealedDatabase] {
        [
            SealedDatabase(PersonalColumns.ServiceColumn.allCases.map(\.sealed), in: database),
            SealedDatabase([KeyStoreSchema.sealedColumn], in: keyDatabase),
        ]
    }

    /// The database of the accounts' keys.
    var keyDatabase: Database { settings.keyDatabase }

    var capabilities: Capabilities {
        get throws { try #require(settings.capabilities.withLock { $0 }) }
    }
    var database: Database { service.database }
    var clock: TestClock { service.clock }

    // MARK: HTTP

    struct Answer: Sendable {
        let status: UInt16
        let json: JSONValue
        let response: HTTPResponse

        var code: String? { json["code"]?.text }
        /// All of a problem that a client may tell apart: not the trace, which each request has for itself.
        var told: [JSONValue?] { ["type", "title", "status", "code", "detail", "errors"].map { json[$0] } }
        func text(_ key: String) throws -> String { try #require(json[key]?.text) }
    }

    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, fields: HTTPFields = [:], _ body: String = ""
    ) async throws -> Answer {
        let response = try await service.call(
            method, "/accounts/v1" + path, token: token, fields: fields, body: Array(body.utf8))
        let bytes = try await response.collectedBody()
        let json =
            (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
        return Answer(status: response.status.rawValue, json: json, response: response)
    }

    /// As if so many other devices showed numbers.
    func showNumbers(_ count: Int) async throws {
        try await database.execute(
            """
            insert into pairing (id, code_index, claim_hash, name, offered_types, created_at, expires_at)
            select gen_random_uuid(), int8send(n), '', '', '{1}', \(clock.now()), \(clock.now() + Pairings.codeLife)
            from generate_series(1, \(Int64(count))) n
            """)
    }

    func sendForm(_ path: String, fields: HTTPFields = [:], _ body: String) async throws -> Answer {
        var fields = fields
        fields["Content-Type"] = "application/x-www-form-urlencoded"
        return try await send(.post, path, fields: fields, body)
    }

    // MARK: Steps

    func register(_ person: TestPerson) async throws -> Answer {
        try await send(.post, "/individuals", person.form)
    }

    /// Registers, confirms and logs in.
    func individual(_ person: TestPerson = TestPerson()) async throws -> LoggedIn {
        #expect(try await register(person).status == 202)
        return try await confirmAndLogIn(person.email)
    }

    func company(_ company: TestCompany = TestCompany()) async throws -> LoggedIn {
        #expect(try await send(.post, company.path, company.form).status == 202)
        return try await confirmAndLogIn(company.email, kind: company.kind)
    }

    /// Opens group requests to a third party, or closes them, as the operator does.
    func admit(_ company: TestCompany = TestCompany(), isAdmitted: Bool = true) async throws {
        _ = try await service.rpc(as: "operator").call(
            Accounts.Admit.self,
            .init(email: try EmailAddress(validating: company.email), isAdmitted: isAdmitted, reason: "test"))
    }

    private func confirmAndLogIn(_ email: String, kind: AccountKind? = nil) async throws -> LoggedIn {
        #expect(try await confirm(try await linkToken(to: email)).status == 200)
        let answer = try await logIn(email, kind: kind)
        #expect(answer.status == 200)
        return try LoggedIn(answer)
    }

    func logIn(_ login: String, _ password: String = password, kind: AccountKind? = nil) async throws -> Answer {
        let kind = kind.map { ",\"kind\":\"\($0.rawValue)\"" } ?? ""
        return try await send(.post, "/sessions", "{\"login\":\"\(login)\",\"password\":\"\(password)\"\(kind)}")
    }

    /// Delivers mail and takes the token of the link to a page out of the last one, or of the last one to an address.
    func linkToken(_ page: String = "confirm", to address: String? = nil) async throws -> String {
        try await deliver()
        var last: MailMessage?
        var seen: UInt64 = 0
        let deadline = Deadline.after(.patience)
        // A service that has been started may have taken the mail before this, and be about to hand it over.
        repeat {
            last = settings.mailbox.messages.last { address == nil || $0.to.description == address }
            if last != nil || address == nil { break }
            seen = await settings.mailbox.arrived.wait(after: seen, deadline: deadline)
        } while !deadline.hasPassed
        let body = try #require(last?.body)
        let start = try #require(body.firstRange(of: "http://127.0.0.1:8100/\(page)#")?.upperBound)
        return String(body[start...].prefix { !$0.isWhitespace })
    }

    /// As the page does that the link leads to.
    func confirm(_ token: String) async throws -> Answer {
        try await send(.post, "/confirmations/confirm", "{\"token\":\"\(token)\"}")
    }

    @discardableResult
    func deliver() async throws -> Int {
        try await capabilities.warnings.sendDue()
        try await capabilities.resets.sendDue()
        return try await capabilities.mail.deliverDue()
    }

    /// Begins `call` so many times while `lock` holds the rows that it needs, and lets all go on once they wait for them.
    /// What they return.
    func held<R: Sendable>(
        by lock: SQL, of table: String, count: Int = 1, _ call: @escaping @Sendable () async throws -> R
    ) async throws -> [R] {
        let loop = service.loops.loops[0]
        let tasks = try await capabilities.store.transaction { transaction in
            try await transaction.execute(lock)
            let tasks = (0..<count).map { _ in loop.throwingTask { try await call() } }
            let deadline = Deadline.after(.patience)
            while !deadline.hasPassed {
                let waiting = try await transaction.queryOne(
                    """
                    select count(distinct pid) from pg_locks where not granted
                      and pid in (select pid from pg_locks where relation = \(table)::text::regclass)
                    """, as: Int.self)
                if waiting == tasks.count { break }
                try await loop.sleep(for: .milliseconds(2))
            }
            #expect(!deadline.hasPassed)
            return tasks
        }
        var results: [R] = []
        for task in tasks { results.append(try await task.value) }
        return results
    }

    /// Runs `body` while no password is hashed: log-ins that have begun wait for their turn.
    func withoutHashing<R>(_ body: () async throws -> R) async throws -> R {
        let pool = try capabilities.hasher.pool
        let gate = Gate()
        let turns = try capabilities.hasher.turns
        let holding = service.loops.loops[0].throwingTask {
            try await turns.run(.init(nil, isKnown: true)) { () async throws(IOError) in
                try await pool.run { gate.wait() }
            }
        }
        do {
            let result = try await body()
            gate.open()
            try await holding.value
            return result
        } catch {
            gate.open()
            throw error
        }
    }

    /// Somebody has an archive, and an erasure of collected data under way.
    func exportAndErase(_ who: LoggedIn) async throws {
        #expect(try await send(.post, "/me/exports", token: who.token).status == 202)
        let made = try capabilities.exportWorker
        let worker = ExportWorker(exports: made.exports, own: made.own, peers: [:], log: made.log)
        #expect(try await worker.makeNext())
        let form = "{\"password\":\"\(Self.password)\",\"scope\":\"collected-data\"}"
        #expect(try await send(.post, "/me/erasures", token: who.token, form).status == 202)
    }

    // MARK: Feeds

    func end(of feed: String, as consumer: String = "ingestion") async throws -> FeedCursor {
        let snapshot = try await service.rpc(as: consumer).call(FeedSnapshot.self, .init(feed: feed, page: nil))
        return try #require(snapshot.cursor)
    }

    /// All that the snapshot of a feed has.
    func snapshot(of feed: String, as consumer: String = "ingestion") async throws -> [FeedEntity] {
        var entities: [FeedEntity] = []
        var next: String?
        repeat {
            let page = try await service.rpc(as: consumer).call(FeedSnapshot.self, .init(feed: feed, page: next))
            entities += page.entities
            next = page.next
        } while next != nil
        return entities
    }

    func revoked(after cursor: FeedCursor) async throws -> [Accounts.Revocation] {
        try await events(of: Accounts.revocationsFeed, after: cursor, as: "query").map { try $0.decode() }
    }

    func events(of feed: String, after cursor: FeedCursor, as consumer: String = "ingestion") async throws
        -> [FeedRecord]
    {
        try await service.rpc(as: consumer).call(
            FeedRead.self, .init(feed: feed, cursor: cursor, acknowledged: nil, limit: 500, waitMilliseconds: 0)
        ).events
    }
}

/// What a log-in gives.
struct LoggedIn: Sendable {
    let account: UUID
    let token: String
    let refresh: String
    let session: UUID

    init(_ answer: AccountsTest.Answer) throws {
        account = try #require(UUID(answer.json["account"]?["id"]?.text ?? ""))
        token = try answer.text("access_token")
        refresh = try answer.text("refresh_token")
        session = try #require(UUID(try answer.text("session_id")))
    }
}
