public import HTTP
import Primitives
public import Reactor

/// Where people, devices and third parties reach the service: HTTP.
public struct PublicListener: Decodable, Sendable {
    public var listen: Endpoint
    /// The address that people reach the service at, without a slash at its end.
    public var baseURL: String
    /// The proxies in front, whose `X-Forwarded-For` says from where a client comes; none by default.
    public var trustedProxies: TrustedProxies

    private enum CodingKeys: String, CodingKey { case listen, baseURL, trustedProxies }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        listen = try container.decode(ListenAddress.self, forKey: .listen).endpoint
        baseURL = try container.decode(String.self, forKey: .baseURL)
        guard baseURL.hasPrefix("http://") || baseURL.hasPrefix("https://"), !baseURL.hasSuffix("/") else {
            throw DecodingError.dataCorruptedError(
                forKey: .baseURL, in: container,
                debugDescription:
                    "expected an address that begins with http:// or https:// and does not end with a slash")
        }
        let proxies = try container.decodeIfPresent([String].self, forKey: .trustedProxies) ?? []
        let ranges = proxies.compactMap { AddressRange($0) }
        guard ranges.count == proxies.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .trustedProxies, in: container,
                debugDescription: "expected addresses or blocks of them, such as 10.0.0.0/8 or fd00::/8")
        }
        trustedProxies = TrustedProxies(ranges: ranges)
    }

    /// Whether people come through HTTPS only.
    var isHTTPSOnly: Bool { baseURL.hasPrefix("https://") }
}

/// Where the other services reach the service: RPC with mutual TLS.
public struct InternalListener: Decodable, Sendable {
    public var listen: Endpoint
    public var certificateFile: String
    public var keyFile: String
    /// The authority that the peers' certificates must come from.
    public var authorityFile: String

    private enum CodingKeys: String, CodingKey { case listen, certificateFile, keyFile, authorityFile }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        listen = try container.decode(ListenAddress.self, forKey: .listen).endpoint
        certificateFile = try container.decode(String.self, forKey: .certificateFile)
        keyFile = try container.decode(String.self, forKey: .keyFile)
        authorityFile = try container.decode(String.self, forKey: .authorityFile)
    }

    /// The contexts for being called and for calling.
    func tls() throws(ConfigurationError) -> (server: TLSContext, client: TLSContext) {
        do throws(SmallFile.Failure) {
            for file in [certificateFile, authorityFile] { try SmallFile.check(file) }
            try SmallFile.check(keyFile, isSecret: true)
        } catch { throw ConfigurationError(error) }
        do throws(IOError) {
            return (
                try .server(certificateFile: certificateFile, keyFile: keyFile, clientAuthorityFile: authorityFile),
                try .client(authorityFile: authorityFile, certificateFile: certificateFile, keyFile: keyFile)
            )
        } catch {
            throw ConfigurationError("The internal listener's certificate cannot be used: \(error).")
        }
    }
}

struct ListenAddress: Decodable {
    let endpoint: Endpoint

    init(from decoder: any Decoder) throws {
        endpoint = try Endpoint(decoding: decoder)
    }
}

extension Endpoint {
    /// From a text `HOST:PORT`, `[IPv6]:PORT` or `unix:/path`.
    init(decoding decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let endpoint = Endpoint(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected HOST:PORT with a port from 0 to 65535, or unix:/PATH")
        }
        self = endpoint
    }
}
