public import HTTP
import Primitives
public import Reactor

/// The listener for people, devices and third parties: HTTP.
public struct PublicListener: Decodable, Sendable {
    public var listen: Endpoint
    /// The address that people reach the service at, without a slash at its end.
    public var baseURL: String
    /// The path below which the proxy in front serves the static files of the pages, without a slash at its end
    /// (`/assets/0123456789abcdef`, which `deploy/pages` has printed); `nil` for a service without pages.
    public var assets: String?
    /// The proxies in front, whose `X-Forwarded-For` says from where a client comes; none by default.
    public var trustedProxies: TrustedProxies
    /// For HTTPS at this listener; without them a proxy in front does it.
    public var certificateFile: String?
    public var keyFile: String?
    public var limits: PublicLimits

    private enum CodingKeys: String, CodingKey {
        case listen, baseURL, assets, trustedProxies, certificateFile, keyFile, limits
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        listen = try container.decode(Endpoint.self, forKey: .listen)
        baseURL = try container.decode(String.self, forKey: .baseURL)
        guard baseURL.hasPrefix("http://") || baseURL.hasPrefix("https://"), !baseURL.hasSuffix("/") else {
            throw DecodingError.dataCorruptedError(
                forKey: .baseURL, in: container,
                debugDescription:
                    "expected an address that begins with http:// or https:// and does not end with a slash")
        }
        assets = try container.decodeIfPresent(String.self, forKey: .assets)
        if let assets, !Self.isPath(assets) {
            throw DecodingError.dataCorruptedError(
                forKey: .assets, in: container,
                debugDescription:
                    "expected a path of visible ASCII characters that begins with a slash and does not end with one")
        }
        let proxies = try container.decodeIfPresent([String].self, forKey: .trustedProxies) ?? []
        let ranges = proxies.compactMap { AddressRange($0) }
        guard ranges.count == proxies.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .trustedProxies, in: container,
                debugDescription: "expected addresses or blocks of them, such as 10.0.0.0/8 or fd00::/8")
        }
        trustedProxies = TrustedProxies(ranges: ranges)
        certificateFile = try container.decodeIfPresent(String.self, forKey: .certificateFile)
        keyFile = try container.decodeIfPresent(String.self, forKey: .keyFile)
        guard (certificateFile == nil) == (keyFile == nil) else {
            throw DecodingError.dataCorruptedError(
                forKey: .keyFile, in: container, debugDescription: "expected certificate_file and key_file, or neither")
        }
        limits = try container.decodeIfPresent(PublicLimits.self, forKey: .limits) ?? PublicLimits()
    }

    /// A path to write before the name of a file: from `/`, without a slash at its end.
    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.hasSuffix("/") && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// The limits and timeouts of the server.
    var serverConfiguration: HTTPServerConfiguration {
        var configuration = limits.serverConfiguration
        // People come through HTTPS only.
        configuration.isHTTPSOnly = baseURL.hasPrefix("https://")
        configuration.trustedProxies = trustedProxies
        return configuration
    }

    /// The context for HTTPS, if its files are named: TLS 1.2 and 1.3, for the phones and devices that there are.
    func tls() throws(ConfigurationError) -> TLSContext? {
        guard let certificateFile, let keyFile else { return nil }
        do throws(SmallFile.Failure) {
            try SmallFile.check(certificateFile)
            try SmallFile.check(keyFile, isSecret: true)
        } catch { throw ConfigurationError(error) }
        do throws(IOError) {
            return try .server(certificateFile: certificateFile, keyFile: keyFile, oldest: .tls12, isHTTP: true)
        } catch {
            throw ConfigurationError("The public listener's certificate cannot be used: \(error).")
        }
    }
}

/// The listener for other services: RPC with mutual TLS.
public struct InternalListener: Decodable, Sendable {
    public var listen: Endpoint
    public var certificateFile: String
    public var keyFile: String
    /// The authority that the peers' certificates must come from.
    public var authorityFile: String

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
