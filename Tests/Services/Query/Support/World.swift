import Contracts
import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Query

/// The query service in process, with its two schemas and neighbours in memory.
struct World: Sendable {
    /// Long ago by the clock of the database, as it is for whatever is closed or deleted.
    static let start = Timestamp("2025-07-01T12:00:00Z")!

    let service: TestService<QueryService>
    let statistics: Database
    let keyDatabase: Database
    let neighbours: Neighbours
    let clock: TestClock
    let company: UUID
    let person: UUID
    private let rounds = Rounds()

    static let fiscalCode = "RSSMRA85T10A562S"
    static let email = "mario@example.org"

    /// With `isRunning: false` nothing of the service runs beside answering calls.
    static func with(
        settings more: String = "", retention: [String: Int] = [:],
        types: [DataType] = [.heartRate, .position, .steps], keys: ServiceKeys? = nil, isRunning: Bool = true,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await TestDatabase.with { statistics in
            try await TestDatabase.with { store in
                try await with(more, retention, types, keys, isRunning, statistics, store, body)
            }
        }
    }

    private static func with(
        _ more: String, _ retention: [String: Int], _ types: [DataType], _ keys: ServiceKeys?,
        _ isRunning: Bool, _ statistics: TestDatabase, _ store: TestDatabase,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let clock = TestClock(start)
        let tokens = TestTokens(clock: clock)
        let neighbours = Neighbours(tokens: tokens)
        let person = neighbours.addPerson(fiscalCode: fiscalCode, email: email, types: types)
        let company = neighbours.addCompany("Acme S.p.A.")
        let settings = try JSONDecoder().decode(
            QuerySettings.self,
            from: Array(
                """
                {"keystore": \(DatabaseSettings.text(schema: store.schema)),
                 "statistics_database": \(DatabaseSettings.text(schema: statistics.schema))\(more)}
                """.utf8))
        try await TestService<QueryService>.with(
            settings: settings, peers: neighbours.peers,
            databases: [statistics.schema: statistics.database, store.schema: store.database],
            clock: clock, tokens: tokens, keys: keys, retention: retention
        ) { service in
            let world = World(
                service: service, statistics: statistics.database, keyDatabase: store.database, neighbours: neighbours,
                clock: clock, company: company, person: person)
            if isRunning { try await world.begin() }
            try await body(world)
        }
    }

    /// People's keys, with a cache of its own, as another process has them.
    var keys: SubjectKeys {
        let context = service.context
        return SubjectKeys(
            store: KeyStore(database: keyDatabase), cipher: FieldCipher(context.keys.fields)
        ).keys(except: SealedRows.people(in: service.database, context.observer))
    }

    // MARK: Calls

    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
        let json: JSONValue
        let fields: HTTPFields

        subscript(key: String) -> JSONValue? { json[key] }
        var code: String? { json["code"]?.text }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    func asCompany(_ method: HTTPMethod, _ path: String, _ body: String = "", company: UUID? = nil) async throws
        -> Answer
    {
        try await call(
            method, path, body,
            token: service.tokens.token(
                .thirdParty, account: company ?? self.company, scopes: ["requests", "groups"]))
    }

    /// With an idempotency key.
    func asCompany(
        _ method: HTTPMethod, _ path: String, _ body: String, key: String, company: UUID? = nil
    ) async throws -> Answer {
        try await call(
            method, path, body,
            token: service.tokens.token(.thirdParty, account: company ?? self.company, scopes: ["requests"]),
            fields: ["Idempotency-Key": key])
    }

    func asPerson(_ method: HTTPMethod, _ path: String, _ body: String = "", person: UUID? = nil) async throws -> Answer
    {
        try await call(method, path, body, token: service.tokens.token(.individual, account: person ?? self.person))
    }

    func call(
        _ method: HTTPMethod, _ path: String, _ body: String, token: String?, fields: HTTPFields = [:]
    ) async throws -> Answer {
        let response = try await service.call(
            method, "/query/v1" + path, token: token, fields: fields, body: Array(body.utf8), collects: true)
        let bytes = try await response.collectedBody()
        return Answer(
            status: Int(response.status.rawValue), body: bytes,
            json: (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .null,
            fields: response.fields)
    }

    // MARK: Requests

    static let draft = """
        {"fiscal_code": "\(fiscalCode)", "data_types": ["heart-rate", "position"], "from": "2025-06-01T00:00:00Z",
          "to": "2025-09-01T00:00:00Z", "mode": "subscription", "reason": "Study of the heart"}
        """

    /// The id of a new request.
    func ask(_ draft: String = draft, company: UUID? = nil) async throws -> UUID {
        let answer = try await asCompany(.post, "/requests", draft, company: company)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer["id"]?.text.flatMap { UUID($0) })
    }

    /// What track4run sends for a runner who has enrolled; the organiser is the company unless another one is given.
    func checkIn(of organiser: UUID? = nil) -> Query.RequestCheckIn.Params {
        .init(
            id: .random(), runID: .random(), runName: "Stramilano", organiserID: organiser ?? company, runnerID: person,
            start: World.start + .seconds(900), end: World.start + .seconds(9000))
    }

    func askAndAccept() async throws -> UUID {
        let id = try await ask()
        let answer = try await asPerson(.post, "/me/requests/\(id)/acceptance")
        try #require(answer.status == 200, "\(answer.text)")
        return id
    }

    /// The same while nothing is stored of the person and nothing was read before: of what arrives from then on nothing is read ahead.
    func acceptedWithoutData() async throws -> UUID {
        let id = try await askAndAccept()
        try #require(await neighbours.reached(answered: 1))
        return id
    }

    private final class Rounds: Sendable {
        let count = Mutex<UInt64>(1)
    }

    /// The periodic tasks (audit trail, closing of requests, second passes of erasures, retention, asking for days, merging of columns,
    /// removal of values, following and packing of events, availability, mailing) have their turn. They have had the first when the world begins.
    func round() async throws {
        let count = rounds.count.withLock { count in
            count += 1
            return count
        }
        service.pacing.tick()
        try #require(await service.pacing.reached(pauses: Self.periodicTasks * count))
    }

    private static let periodicTasks: UInt64 = 16

    private func begin() async throws {
        service.start()
        try #require(await service.pacing.reached(pauses: Self.periodicTasks))
    }

    /// The answer with data, its body not yet made: a stream, or a download or page.
    func deliver(_ id: UUID, csv: Bool = false, isStream: Bool = true, company: UUID? = nil) async throws
        -> HTTPResponse
    {
        let token = try service.tokens.token(.thirdParty, account: company ?? self.company, scopes: ["requests"])
        return try await service.call(
            .get, "/query/v1/requests/\(id)/\(isStream && !csv ? "stream" : "data")", token: token,
            fields: csv ? ["Accept": "text/csv"] : [:])
    }

    /// The person's log of accesses without the look-ups.
    func deliveryLog() async throws -> [JSONValue] {
        let entries = try await asPerson(.get, "/me/access-log")["accesses"]?.items
        return try #require(entries).filter { $0["way"]?.text != "look-up" }
    }

    func count(_ table: String) async throws -> Int {
        try #require(
            try await service.database.queryOne("select count(*) from \(identifier: table)", as: Int.self))
    }

    func state(of id: UUID) async throws -> String? {
        try await service.database.queryOne("select state from request where id = \(id)", as: String.self)
    }

    static func heartRates(_ values: [Double], at start: Timestamp = start) -> SampleSeries {
        SampleSeries(
            type: .heartRate, unit: "/min", start: start, offsets: values.indices.map { Int64($0) * 1000 },
            values: values)
    }
}

extension HTTPResponse {
    /// What makes a body piece by piece, and how many bytes it promises.
    var producer: (count: Int?, write: Producer)? {
        switch body {
        case .stream(let count, let producer): (count, producer)
        case .live(let producer): (nil, producer)
        case .empty, .bytes: nil
        }
    }
}
