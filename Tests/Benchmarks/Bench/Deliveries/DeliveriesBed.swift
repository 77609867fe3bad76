import Contracts
import Domain
import HTTP
import JSON
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Security
import SuiteClient

/// The services accounts, ingestion and query, people who upload, and third parties with accepted requests.
///
/// People are provisioned, third parties register. Tokens of both are made with the deployment's key, as accounts makes them: a
/// password hash for each of ten thousand would take an hour. Everything else goes through the API.
struct DeliveriesBed: Sendable {
    static let services: [ServiceName] = [.accounts, .ingestion, .query]
    private static let host = "127.0.0.1"
    private static let fileMax = Duration.seconds(120)
    private static let password = "quattro-passi-al-lago"
    private static let callMax = Duration.seconds(90)
    /// People of a call, of which each takes some milliseconds: a call has a minute.
    private static let askedEach = 250
    private static let callsAtOnce = 4
    private static let acceptConnections = 16

    /// Beside what the deployment has: room for all streams and look-ups of the benchmarks.
    private static let querySettings =
        #""searches_max": 100000, "misses_max": 100000, "waiting_max": 50000, "waiting_per_third_party_max": 50000"#
    private static let queryLimits = #""limits": {"connections_max": 30000, "requests_in_flight_max": 30000}"#
    private static let ingestionSettings = #""quota_bytes": 1000000000"#

    let services: ServicesBed
    private let tokens: AccessTokens
    private let http: HTTPClient

    var loops: EventLoopGroup { services.loops }
    func port(_ service: ServiceName) -> UInt16 { services[service].httpPort }

    /// - `settings`: further members of query's settings.
    static func with<R: Sendable>(
        settings: String = "", _ body: @escaping @Sendable (DeliveriesBed) async throws -> R
    ) async throws -> R {
        try await ServicesBed.with(services, configured: { configured($0, settings) }) { services in
            let bed = try DeliveriesBed(services)
            defer { bed.http.close() }
            return try await body(bed)
        }
    }

    private static func configured(_ text: String, _ more: String) -> String {
        if text.contains("\"service\": \"\(ServiceName.query)\"") {
            let settings = more.isEmpty ? querySettings : "\(querySettings), \(more)"
            return text.replacing("\"settings\": {", with: "\"settings\": {\(settings), ")
                .replacing("\"public\": {", with: "\"public\": {\(queryLimits), ")
        }
        guard text.contains("\"service\": \"\(ServiceName.ingestion)\"") else { return text }
        return text.replacing("\"settings\": {", with: "\"settings\": {\(ingestionSettings), ")
    }

    private init(_ services: ServicesBed) throws {
        guard let loop = EventLoop.current else { throw BenchError.failed("outside an event loop") }
        self.services = services
        tokens = try AccessTokens(key: services.key)
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        configuration.responseBytesMax = 64 << 20
        http = HTTPClient(on: loop, configuration: configuration)
    }

    // MARK: Tokens

    /// Of the person, who has logged in.
    func token(of person: Person) throws -> String {
        try tokens.owner(.individual, of: person.account, session: .random())
    }

    /// Of the third party, that has logged in. Good for 15 minutes, as all are.
    func token(of thirdParty: UUID) throws -> String {
        try tokens.owner(
            .thirdParty, of: thirdParty, session: .random(), scopes: [AccessScope.requests.rawValue])
    }

    /// Of the people's devices.
    func deviceTokens(_ people: [Person]) throws -> [String] {
        try people.map { try tokens.device($0.device, of: $0.account) }
    }

    // MARK: People and third parties

    struct Person: Sendable {
        let account: UUID
        let device: UUID
        let fiscalCode: FiscalCode
    }

    func people(_ count: Int) async throws -> [Person] {
        let all = Population(count: count).people
        return zip(all, try await services.provision(all.map(\.provision))).map { person, made in
            Person(account: made.account, device: made.device, fiscalCode: person.fiscalCode)
        }
    }

    /// At most 30: so many an hour may one address confirm.
    func thirdParties(_ count: Int) async throws -> [UUID] {
        var newcomers = Newcomers()
        return try await services.withSuite { suite in
            let (api, mailbox) = (API(suite), Mailbox(directory: suite.configuration.mailDirectory))
            var made: [UUID] = []
            for number in 0..<count {
                let form = newcomers.company("Cardio \(number)", password: Self.password)
                made.append(try await Company.register(form, as: .thirdParty, api: api, mailbox: mailbox).id)
            }
            return made
        }
    }

    // MARK: Requests

    /// What third parties ask for: heart rates.
    struct Terms: Encodable, Sendable {
        let mode: String
        let from: Timestamp
        let to: Timestamp
        let dataTypes = [DataType.heartRate]
        let reason = "Studio di cardiologia"

        static func once(from: Timestamp, to: Timestamp) -> Terms { Terms(mode: "once", from: from, to: to) }
        /// From now on.
        static func subscription() -> Terms {
            let now = Timestamp.now()
            return Terms(mode: "subscription", from: now, to: now + .seconds(86_400))
        }
    }

    /// Each of the people has a request of this third party, which is accepted then: the requests in their order.
    func accepted(_ terms: Terms, of people: [Person], by thirdParty: UUID) async throws -> [UUID] {
        try await accepted(terms, [(thirdParty, people)])[0]
    }

    /// The same of several third parties.
    func accepted(_ terms: Terms, _ asked: [(thirdParty: UUID, people: [Person])]) async throws -> [[UUID]] {
        var requests = [[UUID]](repeating: [], count: asked.count)
        try await withThrowingTaskGroup(of: (Int, [UUID]).self) { group in
            for worker in 0..<min(Self.callsAtOnce, asked.count) {
                for number in stride(from: worker, to: asked.count, by: Self.callsAtOnce) {
                    group.addTask {
                        (number, try await ask(terms, of: asked[number].people, by: asked[number].thirdParty))
                    }
                }
            }
            for try await (number, made) in group { requests[number] = made }
        }
        try await accept(zip(requests.joined(), asked.flatMap(\.people)).map { ($0, $1) })
        return requests
    }

    private struct Batch: Encodable {
        struct Named: Encodable { let fiscalCode: FiscalCode }
        let people: [Named]
        let terms: Terms

        private enum CodingKeys: CodingKey { case people }

        func encode(to encoder: any Encoder) throws {
            try terms.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(people, forKey: .people)
        }
    }

    private struct Items: Decodable {
        struct Item: Decodable {
            let status: Int
            let id: UUID?
            let code: String?
        }
        let items: [Item]
    }

    private func ask(_ terms: Terms, of people: [Person], by thirdParty: UUID) async throws -> [UUID] {
        var requests: [UUID] = []
        for first in stride(from: 0, to: people.count, by: Self.askedEach) {
            let some = people[first..<min(people.count, first + Self.askedEach)]
            let batch = Batch(people: some.map { .init(fiscalCode: $0.fiscalCode) }, terms: terms)
            let answer = try await call(
                .post, .query, "/request-batches", token: try token(of: thirdParty), try JSONEncoder().encode(batch))
            requests += try answer.json(Items.self).items.map { item in
                guard let id = item.id else {
                    throw BenchError.failed("a request was answered \(item.status) \(item.code ?? "")")
                }
                return id
            }
        }
        guard requests.count == people.count else { throw BenchError.failed("requests are missing") }
        return requests
    }

    private func accept(_ all: [(request: UUID, person: Person)]) async throws {
        let tokens = try all.map { try token(of: $0.person) }
        _ = try await load(
            .query, connections: min(all.count, Self.acceptConnections), .closed, for: .requests(all.count),
            wanted: #""state":"accepted""#
        ) { number, _ in
            RequestText.make(
                "POST", "/query/v1/me/requests/\(all[number].request)/acceptance", token: tokens[number])
        }
    }

    // MARK: Calls and loads

    /// - `path`: what follows `/SERVICE/v1`. Errors: answers other than those of success.
    @discardableResult
    func call(
        _ method: HTTPMethod, _ service: ServiceName, _ path: String, token: String,
        accept: String = "application/json",
        _ body: [UInt8] = []
    ) async throws -> HTTPClientResponse {
        let request = try request(method, service, path, token: token, accept: accept, body)
        let answer = try await http.send(request, deadline: .after(Self.callMax))
        guard (200..<300).contains(answer.status.rawValue) else {
            throw BenchError.failed("\(method) \(path): \(answer.status) \(answer.text.prefix(400))")
        }
        return answer
    }

    private func request(
        _ method: HTTPMethod, _ service: ServiceName, _ path: String, token: String, accept: String, _ body: [UInt8]
    ) throws -> HTTPClientRequest {
        guard let url = HTTPURL("http://\(Self.host):\(port(service))/\(service)/v1\(path)") else {
            throw BenchError.failed("no address: \(path)")
        }
        var fields: HTTPFields = ["Authorization": "Bearer \(token)", "Accept": accept]
        if !body.isEmpty { fields["Content-Type"] = "application/json" }
        return HTTPClientRequest(method, url, fields: fields, body: body)
    }

    /// As `call`, of an answer that is longer than those.
    func file(_ service: ServiceName, _ path: String, token: String, accept: String) async throws -> [UInt8] {
        let request = try request(.get, service, path, token: token, accept: accept, [])
        let bytes = try await http.stream(request, deadline: .after(Self.fileMax)) {
            (head, chunks) throws(HTTPClientError) -> [UInt8]? in
            var bytes: [UInt8] = []
            while let chunk = try await chunks.next() { bytes += chunk }
            return head.status == .ok ? bytes : nil
        }
        guard let bytes else { throw BenchError.failed("\(path) was refused") }
        return bytes
    }

    /// Runs a load on a thread of its own. A refusal is an error.
    func load(
        _ service: ServiceName, connections: Int, _ pace: LoadRunner.Pace, for length: LoadRunner.Length,
        wanted: String,
        _ make: @escaping @Sendable (Int, Timestamp) throws -> [UInt8]
    ) async throws -> LoadResult {
        let port = port(service)
        let result = try await BlockingPool.shared.run {
            Side.both.pin()
            return Result {
                let source = MadeRequests(wanted: wanted, make)
                let runner = try LoadRunner(host: Self.host, port: port, connections: connections, source: source)
                return try runner.run(pace, for: length)
            }
        }.get()
        guard result.refusedCount + result.broken == 0, result.good > 0 else {
            throw BenchError.failed(
                "\(result.good) answers good, \(result.refused) refused, \(result.broken) lost: \(result.example)")
        }
        return result
    }

    /// Each of the people sends one heart rate, so that it is known that heart rates are collected of them.
    func firstUploads(_ people: [Person]) async throws {
        let (rates, tokens) = (HeartRates(count: 1, every: 1000), try deviceTokens(people))
        _ = try await load(
            .ingestion, connections: 64, .closed, for: .requests(people.count), wanted: rates.stored
        ) { number, now in
            rates.upload(now.milliseconds, from: now - .seconds(60), sentAt: now, token: tokens[number])
        }
    }
}
