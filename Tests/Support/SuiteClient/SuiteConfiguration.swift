import Contracts
import JSON

/// Where the suite is and who we are to it: `simulator.json` of a deployment.
public struct SuiteConfiguration: Decodable, Sendable {
    /// Our own certificate for calls between services.
    public struct Identity: Decodable, Sendable {
        public var certificateFile: String
        public var keyFile: String
        public var authorityFile: String
    }

    /// The ambulance service that we play: where it listens, and the file with the secret of its hook.
    public struct Hook: Decodable, Sendable {
        public var listen: String
        public var secretFile: String
    }

    /// The payments' broker that we play: where it listens, and those whose invoices it takes, each below a path of its name.
    public struct Broker: Decodable, Sendable {
        /// The files with the secrets of TrackMe's calls and of its own, and TrackMe's hook.
        public struct Payee: Decodable, Sendable {
            public var name: String
            public var secretFile: String
            public var callBackSecretFile: String
            public var callBackURL: String

            public init(name: String, secretFile: String, callBackSecretFile: String, callBackURL: String) {
                self.name = name
                self.secretFile = secretFile
                self.callBackSecretFile = callBackSecretFile
                self.callBackURL = callBackURL
            }
        }

        public var listen: String
        public var payees: [Payee]

        public init(listen: String, payees: [Payee]) {
            self.listen = listen
            self.payees = payees
        }
    }

    /// The sandbox for third parties: where its receiver of webhooks listens, and the file that says who is in it.
    public struct Sandbox: Decodable, Sendable {
        public var listen: String
        public var file: String
    }

    public var service: String
    /// Base URL of each service's public side, by name.
    public var `public`: [String: String]
    public var `internal`: Identity
    /// Internal addresses, by name.
    public var peers: [String: [String]]
    public var mailDirectory: String
    public var demoFile: String
    public var hook: Hook?
    public var broker: Broker?
    public var sandbox: Sandbox?
    /// The secret of the people that we provision, where we may.
    public var populationSecretFile: String?
    /// The deployment's key of access tokens, where we may make them for a load.
    public var signingKeyFile: String?

    /// Reads `simulator.json` in `directory`.
    public static func read(directory: String) throws(SuiteError) -> SuiteConfiguration {
        let path = "\(directory)/simulator.json"
        let bytes = try File.read(path, bytesMax: 1 << 20)
        do throws(JSONError) {
            return try JSONDecoder(unknownKeys: .refuse).decode(Self.self, from: bytes)
        } catch { throw .local("\(path): \(error)") }
    }

    func baseURL(of service: ServiceName) throws(SuiteError) -> String {
        guard let url = self.public[service.rawValue] else {
            throw .local("simulator.json names no address of the \(service.rawValue) service.")
        }
        return url
    }
}
