import HTTP
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor
import Security

/// Calls of ingestion's API as one person.
struct PersonSession: Sendable {
    private static let deadline = Duration.seconds(120)

    private let client: HTTPClient
    private let port: UInt16
    private let key: Ed25519Key
    private let person: Int
    private let seed: UInt64

    /// - `person`: one of those that a seed makes.
    init(on loop: EventLoop, _ bed: IngestionBed, _ person: Int = 0, seed: UInt64) {
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        client = HTTPClient(on: loop, configuration: configuration)
        port = bed.ingestion.httpPort
        key = bed.key
        self.person = person
        self.seed = seed
    }

    func close() { client.close() }

    /// - `path`: what follows `/ingestion/v1`.
    func call(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields = [:], _ body: [UInt8] = []
    ) async throws -> HTTPClientResponse {
        guard let url = HTTPURL("http://\(LoadBed.host):\(port)/ingestion/v1\(path)") else {
            throw BenchError.failed("no address")
        }
        var fields = fields
        fields["Authorization"] = "Bearer \(try DeviceTokens.individual(person, seed: seed, key: key))"
        return try await client.send(
            HTTPClientRequest(method, url, fields: fields, body: body), deadline: .after(Self.deadline))
    }
}
