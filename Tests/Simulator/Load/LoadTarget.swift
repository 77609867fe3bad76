import Contracts
import LoadGenerator
import Reactor
import Security
import SuiteClient

/// The ingestion service of a deployment, and the key that its tokens are made with.
struct LoadTarget: Sendable {
    private let address: Endpoint
    private let key: Ed25519Key

    init(_ configuration: SuiteConfiguration) throws {
        guard let url = configuration.public[ServiceName.ingestion.rawValue], url.hasPrefix("http://"),
            let address = Endpoint(String(url.dropFirst(7)))
        else { throw SuiteError.local("simulator.json has no plain HTTP address of the ingestion service.") }
        self.address = address
        key = try configuration.signingKey()
    }

    var host: String { "\(address.host):\(address.port)" }

    /// Of so many devices of each person.
    func tokens(_ options: LoadOptions, devicesEach: Int = 1) throws -> DeviceTokens {
        let tokens = try DeviceTokens(
            of: .device, count: options.people * devicesEach, devicesEach: devicesEach, seed: options.seed, key: key)
        try tokens.makeAll()
        return tokens
    }

    func runner(_ source: any LoadSource, connections: Int) throws -> LoadRunner {
        try LoadRunner(host: address.host, port: address.port, connections: connections, source: source)
    }
}

extension SuiteConfiguration {
    /// The deployment's key of access tokens.
    func signingKey() throws -> Ed25519Key {
        guard let file = signingKeyFile else {
            throw SuiteError.local("simulator.json names no signing_key_file: without it nobody's tokens can be made.")
        }
        return try SigningKeyRing.load(file).current
    }
}

/// What both kinds of load are told.
struct LoadOptions: Sendable {
    var people = 1000
    var seed: UInt64 = 0x10ad
    /// How many of the people are ill, 0 to 1.
    var illnessShare = 0.0
    var connections: Int?
    /// Processes whose processor time is told, by name.
    var processes: [(name: String, id: Int32)] = []

    /// The same people have the same accounts and the same samples.
    var loadPeople: LoadPeople { LoadPeople(seed: seed, illnessShare: illnessShare) }
}
