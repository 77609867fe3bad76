import Contracts
import Domain
import Feed
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import HTTP
@testable import Track4Run

/// The service in process, with its parts at hand; nothing happens by itself.
struct Track4RunTest: Sendable {
    private let service: TestService<Track4RunService>
    let parts: Track4RunParts
    let neighbours: Neighbours
    /// A company that organises.
    let organiser: UUID

    private final class Parts: Sendable {
        let made = Mutex<Track4RunParts?>(nil)
    }

    var context: ServiceContext<Track4RunSettings> { service.context }
    var assembled: AssembledService { service.assembled }
    var loops: EventLoopGroup { service.loops }
    var database: Database { service.database }
    /// What is in the audit trail.
    func auditLines() async throws -> [AuditTables.Line] { try await service.auditLines() }
    var clock: TestClock { service.clock }
    var tokens: TestTokens { service.tokens }
    var log: MemoryLogSink { service.log }

    static func with(
        keys: ServiceKeys? = nil, configured: @escaping @Sendable (inout Track4RunSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (Track4RunTest) async throws -> Void
    ) async throws {
        let (clock, neighbours) = (TestClock(), Neighbours())
        let tokens = TestTokens(clock: clock)
        let parts = Parts()
        try await TestDatabase.with { store in
            var settings = Track4RunSettings(keystore: try .given(schema: store.schema))
            configured(&settings)
            try await with(settings, store, clock, neighbours, tokens, parts, keys, body)
        }
    }

    private static func with(
        _ settings: Track4RunSettings, _ store: TestDatabase, _ clock: TestClock, _ neighbours: Neighbours,
        _ tokens: TestTokens, _ parts: Parts, _ keys: ServiceKeys?,
        _ body: @escaping @Sendable (Track4RunTest) async throws -> Void
    ) async throws {
        try await TestService<Track4RunService>.with(
            settings: settings,
            peers: [
                "accounts": neighbours.accounts(tokens), "query": neighbours.query(),
                "ingestion": neighbours.ingestion(),
            ], databases: [store.schema: store.database], clock: clock, tokens: tokens, keys: keys,
            building: { context in
                let made = try Track4RunParts(context, try await context.openKeyStore(settings.keystore))
                parts.made.withLock { $0 = made }
                return try made.parts()
            }
        ) { service in
            let organiser = UUID.random()
            neighbours.addCompany(organiser)
            let parts = try #require(parts.made.withLock { $0 })
            try await body(
                Track4RunTest(service: service, parts: parts, neighbours: neighbours, organiser: organiser))
        }
    }

    // MARK: HTTP

    struct Answer: Sendable {
        let status: HTTPStatus
        let bytes: [UInt8]

        /// The `code` of a problem.
        var code: String? { try? JSONDecoder().decode(Coded.self, from: bytes).code }
        func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(Value.self, from: bytes)
        }
        private struct Coded: Decodable { let code: String }
    }

    func call(
        _ method: HTTPMethod, _ path: String, as account: UUID? = nil, _ kind: Identity.Kind = .individual,
        body: String = "", from host: String? = nil
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let account {
            let scopes = kind == .thirdParty ? [AccessScope.runs.rawValue] : []
            fields["Authorization"] = "Bearer \(try tokens.token(kind, account: account, scopes: scopes))"
        }
        if !body.isEmpty { fields["Content-Type"] = "application/json" }
        let plain = try HTTPRequest(method, "/track4run/v1\(path)", fields: fields, body: Array(body.utf8))
        let peer = HTTPPeer(
            address: host.flatMap { SocketAddress(numeric: $0, port: 4711) }, identity: nil,
            trustedProxies: TrustedProxies())
        let response = try await assembled.answer(
            HTTPRequest(head: plain.head, body: plain.body, peer: peer))
        return Answer(status: response.status, bytes: try await response.collectedBody())
    }

    // MARK: Runs

    struct Created: Decodable {
        let id: UUID
        let code: String
    }

    /// The JSON of a run that starts in two hours on `path` and lasts one.
    func draft(
        _ path: Polyline = Paths.path([(90, 2000)]), name: String = "City run", startsIn: Duration = .seconds(7200),
        lasts: Duration = .seconds(3600), deadlineIn: Duration? = nil, participantsMax: Int = 10, more: String = ""
    ) throws -> String {
        let start = clock.now() + startsIn
        let line = String(decoding: try JSONEncoder().encode(LineString(path.points)), as: UTF8.self)
        return """
            {"name": "\(name)", "place": "Milano", "path": \(line), "start": "\(start)", "end": "\(start + lasts)",
            "enrolment_deadline": "\(clock.now() + (deadlineIn ?? startsIn))",
            "participants_max": \(participantsMax)\(more)}
            """
    }

    func create(_ draft: String? = nil) async throws -> Created {
        let answer = try await call(.post, "/runs", as: organiser, .thirdParty, body: try draft ?? self.draft())
        return try answer.decode()
    }

    func enrol(_ runner: UUID, in run: UUID) async throws -> Answer {
        try await call(.post, "/runs/\(run)/enrolments", as: runner, body: #"{"clauses_accepted": true}"#)
    }

    struct Page: Decodable {
        struct Item: Decodable {
            let id: UUID
            let name: String
            let state: String
            let participants: Int
            let start_point: [Double]
        }
        let runs: [Item]
        let next: String?
    }

    struct Enrolments: Decodable {
        struct Item: Decodable {
            let run: Page.Item
            let bib: Int
            let state: String
            let clauses_accepted: Bool
            let check_in_from: Timestamp
            let placing: Placing?
        }
        let enrolments: [Item]
        let next: String?
    }

    func enrolments(of runner: UUID, _ query: String = "") async throws -> [Enrolments.Item] {
        try await call(.get, "/me/enrolments\(query)", as: runner).decode(Enrolments.self).enrolments
    }

    func list(_ query: String = "") async throws -> Page { try await call(.get, "/runs\(query)").decode() }

    // MARK: What comes from elsewhere

    /// Applies a feed's events as the consumer does, in one transaction.
    func commit(_ effect: FeedEffect) async throws {
        switch effect {
        case .statements(let statements): if !statements.isEmpty { try await database.batch(statements) }
        case .transaction(let body), .keptBut(let body): try await database.transaction { try await body($0) }
        case .kept: break
        }
    }

    /// The runner's answer to the check-in, as the query service tells it.
    func consent(
        _ state: Query.ConsentChange.State, _ runner: UUID, run: UUID, version: Int64 = 2,
        types: [DataType] = [.position, .heartRate]
    ) async throws {
        let change = change(state, runner, run: run, types: types)
        let record = FeedRecord(
            lane: 0, position: version, entity: change.requestID, version: version, kind: "consent",
            payload: try JSONRaw(encoding: change), recordedAt: clock.now())
        try await commit(try await parts.consents.apply([record]))
    }

    /// All check-ins that the query service knows of, as a snapshot.
    func consentSnapshot(_ changes: [(change: Query.ConsentChange, version: Int64)]) async throws {
        let entities = try changes.map { change, version in
            FeedEntity(
                entity: change.requestID, version: version, kind: "consent", payload: try JSONRaw(encoding: change))
        }
        try await commit(try await parts.consents.beginSnapshot())
        try await commit(try await parts.consents.apply(snapshot: entities))
        try await commit(try await parts.consents.endSnapshot())
    }

    func change(
        _ state: Query.ConsentChange.State, _ runner: UUID, run: UUID, types: [DataType] = [.position, .heartRate]
    ) -> Query.ConsentChange {
        let request = neighbours.checkIns.last { $0.runID == run && $0.runnerID == runner }
        return Query.ConsentChange(
            requestID: request?.id ?? .random(), individualID: runner, requesterID: organiser, runID: run,
            state: state, types: types, until: nil)
    }

    /// What a device sends, as ingestion stores it and passes it on.
    func send(_ samples: Ingestion.LiveSamples..., to handler: LiveSamplesHandler? = nil) async throws {
        for one in samples { neighbours.store(one) }
        let records = try samples.enumerated().map { index, samples in
            FeedRecord(
                lane: 0, position: Int64(index), entity: samples.accountID, version: 1, kind: "samples",
                payload: try JSONRaw(encoding: samples), recordedAt: clock.now())
        }
        try await commit(try await (handler ?? parts.samples).apply(records))
    }

    /// What is due now, and the messages that follow; the live feed is followed up to now unless said otherwise.
    func tick(_ progress: FeedProgress? = nil) async throws {
        try await parts.checkIns.ask(at: clock.now())
        try await parts.starting.startDue(at: clock.now())
        try await parts.live.refresh(at: clock.now())
        try await parts.missed.recover()
        try await parts.ranking.closeDue(
            progress ?? FeedProgress(appliedUntil: clock.now(), age: .zero), at: clock.now())
        while try await parts.store.notices.deliver(at: clock.now()) > 0 {}
    }

    /// A run that is about to start, with so many runners who have checked in.
    func checkedIn(_ count: Int, path: Polyline) async throws -> (run: UUID, runners: [UUID]) {
        let run = try await create(try draft(path, startsIn: .seconds(600))).id
        let runners = (0..<count).map { _ in UUID.random() }
        for (index, runner) in runners.enumerated() {
            neighbours.name(runner, "Runner \(index + 1)")
            _ = try await enrol(runner, in: run)
        }
        try await tick()
        for runner in runners { try await consent(.accepted, runner, run: run) }
        return (run, runners)
    }

    /// A run of an hour that began some seconds ago, with so many runners who have checked in.
    func begun(_ count: Int = 1, path: Polyline) async throws -> (run: UUID, runners: [UUID], start: Timestamp) {
        let (run, runners) = try await checkedIn(count, path: path)
        let start = clock.now() + .seconds(600)
        clock.advance(by: .seconds(603))
        try await tick()
        return (run, runners, start)
    }

    /// Whom ingestion is told to watch at the moment.
    func watched() async throws -> Set<UUID> { Set(try await watches().map(\.accountID)) }

    func watches() async throws -> [Ingestion.Watch] {
        let ingestion = LocalCaller(router: assembled.rpc, as: "ingestion")
        let snapshot = try await ingestion.call(
            FeedSnapshot.self, FeedSnapshot.Params(feed: "track4run.watch", page: nil))
        return try snapshot.entities.map { try $0.decode() }
    }
}
