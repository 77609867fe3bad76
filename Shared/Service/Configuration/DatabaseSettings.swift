import Postgres
import Primitives
import Reactor
import Security

/// A database as the configuration names it.
public struct DatabaseSettings: Decodable, Sendable {
    public static let connectionsMaxLimit = 500

    /// `HOST:PORT` or `/SOCKET/DIRECTORY:PORT`; with several, the one that accepts writes is used.
    public var hosts: [String]
    public var name: String
    public var user: String
    public var passwordFile: String
    public var schema: String
    /// Of this process, over all loops; at least one per loop.
    public var connectionsMax: Int
    /// Whether the service brings the schema up to date when it starts. Otherwise it only checks it.
    public var migrate: Bool
    /// The authority that the server's certificate must come from (`verify-full`). May be left out for hosts on this
    /// machine only: unix sockets and loopback addresses, where nobody else listens.
    public var authorityFile: String?

    private enum CodingKeys: String, CodingKey {
        case hosts, name, user, passwordFile, schema, connectionsMax, migrate, authorityFile
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func refuse(_ key: CodingKeys, _ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
        }
        hosts = try container.decode([String].self, forKey: .hosts)
        guard (1...16).contains(hosts.count) else { throw refuse(.hosts, "expected 1 to 16 hosts") }
        for host in hosts where Self.split(host) == nil {
            throw refuse(.hosts, "expected HOST:PORT or /SOCKET/DIRECTORY:PORT with a port from 1 to 65535")
        }
        name = try container.decode(String.self, forKey: .name)
        user = try container.decode(String.self, forKey: .user)
        passwordFile = try container.decode(String.self, forKey: .passwordFile)
        schema = try container.decode(String.self, forKey: .schema)
        connectionsMax = try container.decode(Int.self, forKey: .connectionsMax)
        guard (1...Self.connectionsMaxLimit).contains(connectionsMax) else {
            throw refuse(.connectionsMax, "expected a number from 1 to \(Self.connectionsMaxLimit)")
        }
        migrate = try container.decodeIfPresent(Bool.self, forKey: .migrate) ?? true
        authorityFile = try container.decodeIfPresent(String.self, forKey: .authorityFile)
        guard authorityFile != nil || hosts.allSatisfy(Self.isLocal) else {
            throw refuse(
                .authorityFile,
                "missing: a database on another machine is reached with TLS only; name the authority of its certificate"
            )
        }
    }

    /// A unix socket or a loopback address; a name, `localhost` too, may lead anywhere.
    private static func isLocal(_ text: String) -> Bool {
        guard let host = split(text)?.host else { return false }
        return host.hasPrefix("/") || SocketAddress(numeric: host, port: 0)?.isLoopback == true
    }

    /// With the password from its file; shared by `loops` loops.
    func configuration(application: String, loops: Int) throws(ConfigurationError) -> DatabaseConfiguration {
        let password: String
        do throws(SecurityError) { password = try SecretFile.text(passwordFile) } catch {
            throw ConfigurationError("The database password cannot be read: \(error.sentence).")
        }
        guard !password.isEmpty else {
            throw ConfigurationError("The database password file \(passwordFile) is empty.")
        }
        do throws(SmallFile.Failure) {
            if let authorityFile { try SmallFile.check(authorityFile) }
        } catch { throw ConfigurationError(error) }
        var configuration = DatabaseConfiguration(
            connectionInfo: connectionInfo(password: password), searchPath: [schema],
            applicationName: "trackme-\(application)")
        configuration.connectionsPerLoopMax = max(1, connectionsMax / max(1, loops))
        return configuration
    }

    private func connectionInfo(password: String) -> String {
        let addresses = hosts.compactMap(Self.split)
        var words = [
            ("host", addresses.map(\.host).joined(separator: ",")),
            ("port", addresses.map { String($0.port) }.joined(separator: ",")),
            ("dbname", name), ("user", user), ("password", password),
        ]
        words += authorityFile.map { [("sslmode", "verify-full"), ("sslrootcert", $0)] } ?? [("sslmode", "disable")]
        return words.map { "\($0.0)='\(Self.escaped($0.1))'" }.joined(separator: " ")
    }

    /// As libpq wants values between single quotes.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static func split(_ text: String) -> (host: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty || host.contains(",") ? nil : (String(host), port)
    }
}
