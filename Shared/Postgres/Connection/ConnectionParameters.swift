internal import CLibPQ
internal import Glibc
internal import Reactor

/// libpq's keywords for one host with an address: what is left to do needs no blocking name look-up.
struct ConnectionParameters: Sendable, Equatable {
    private(set) var values: [String: String]

    /// One per address of each host of the configuration, in order; at most `candidatesMax`. Call on a loop.
    static func candidates(
        _ configuration: DatabaseConfiguration
    ) async throws(PostgresError) -> [ConnectionParameters] {
        let values = try parse(configuration.connectionInfo)
        let base = ConnectionParameters(values: values).completed(configuration)
        let hosts = split(values["host"] ?? environment("PGHOST"))
        let addresses = split(values["hostaddr"] ?? environment("PGHOSTADDR"))
        let ports = split(values["port"] ?? environment("PGPORT"))
        let count = max(hosts.count, addresses.count)
        guard addresses.isEmpty || hosts.isEmpty || hosts.count == addresses.count,
            ports.count <= 1 || ports.count == count
        else { throw .usage("hosts, addresses and ports differ in number") }
        var candidates: [ConnectionParameters] = []
        var failure: PostgresError?
        for index in 0..<max(count, 1) {
            var one = base
            if let host = hosts.element(index) { one.values["host"] = host }
            if let port = ports.element(index) ?? ports.first { one.values["port"] = port }
            if count > 1, one.values["target_session_attrs"] == nil {
                one.values["target_session_attrs"] = "read-write"
            }
            if let address = addresses.element(index), !address.isEmpty {
                one.values["hostaddr"] = address
            } else if let host = hosts.element(index), isName(host) {
                do {
                    for address in try await resolve(host, configuration.connectTime) {
                        one.values["hostaddr"] = address
                        candidates.append(one)
                    }
                } catch { failure = error }
                continue
            } else {
                one.values["hostaddr"] = nil
            }
            candidates.append(one)
        }
        if candidates.isEmpty { throw failure ?? .connection(detail: "no host to connect to") }
        return Array(candidates.prefix(candidatesMax))
    }

    private static let candidatesMax = 32

    /// The keywords of a connection string.
    static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            throw .usage("connection string: " + (message.map { String(cString: $0) } ?? "out of memory"))
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Adds what the configuration says; settings of the server go into `options`, where every connection has them from
    /// its start.
    private func completed(_ configuration: DatabaseConfiguration) -> ConnectionParameters {
        var options = values["options"].map { [$0] } ?? []
        let path = configuration.searchPath.map(quoted).joined(separator: ",")
        options.append("-c search_path=" + Self.escaped(path))
        options.append("-c default_transaction_isolation=read\\ committed")
        // Statements here are short. Compiling one takes a tenth of a second, each time that it is called, and the server begins to
        // when it takes a plan's cost for high, as it does for a page of a long walk.
        options.append("-c jit=off")
        if configuration.keepsPlans { options.append("-c plan_cache_mode=force_generic_plan") }
        if let time = configuration.statementTime {
            options.append("-c statement_timeout=\(time.wholeMilliseconds)")
        }
        if let time = configuration.idleInTransactionTime {
            options.append("-c idle_in_transaction_session_timeout=\(time.wholeMilliseconds)")
        }
        options += Self.serverPatience
        var result = self
        result.values["options"] = options.joined(separator: " ")
        result.values["application_name"] = configuration.applicationName
        result.values["client_encoding"] = "UTF8"
        // A host that is gone without a word is noticed within half a minute, also by a connection that only listens and
        // by a request to cancel.
        let patience = [
            "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "25000",
        ]
        result.values.merge(patience) { configured, _ in configured }
        // Kerberos would look for credentials with blocking calls.
        if result.values["gssencmode"] == nil { result.values["gssencmode"] = "disable" }
        return result
    }

    /// A client whose host is gone without a word is noticed by the server within half a minute as well, in the middle of a
    /// statement too: its session would hold locks and one of the server's connections for two hours.
    private static let serverPatience = [
        "-c tcp_keepalives_idle=10", "-c tcp_keepalives_interval=5", "-c tcp_keepalives_count=3",
        "-c tcp_user_timeout=25000", "-c client_connection_check_interval=5000",
    ]

    /// Blanks separate the parts of `options` unless a backslash stands before them.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            if character == "\\" || character.isWhitespace { text.append("\\") }
            text.append(character)
        }
        return text
    }

    private static func split(_ list: String?) -> [String] {
        guard let list, !list.isEmpty else { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Neither a socket's folder nor an address.
    private static func isName(_ host: String) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return false }
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) != 1 && inet_pton(AF_INET6, host, &address) != 1
    }

    private static func resolve(_ host: String, _ time: Duration) async throws(PostgresError) -> [String] {
        do throws(IOError) {
            return try await Endpoint(host: host, port: 0).resolve(deadline: .after(time)).map(\.host)
        } catch { throw PostgresError(error) }
    }

    /// Begins to connect; the answer is a new `PGconn`, or `nil` when there is no memory.
    func start() -> OpaquePointer? {
        let pairs = values.sorted { $0.key < $1.key }
        let keywords = pairs.map { strdup($0.key) }
        let texts = pairs.map { strdup($0.value) }
        defer {
            for text in keywords + texts { free(text) }
        }
        let keywordList = keywords.map { UnsafePointer<CChar>($0) } + [nil]
        let textList = texts.map { UnsafePointer<CChar>($0) } + [nil]
        return PQconnectStartParams(keywordList, textList, 0)
    }
}

extension Duration {
    /// For the server's settings, where 0 would mean no limit.
    var wholeMilliseconds: Int64 {
        max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}

extension Array {
    fileprivate func element(_ index: Int) -> Element? { index < count ? self[index] : nil }
}
