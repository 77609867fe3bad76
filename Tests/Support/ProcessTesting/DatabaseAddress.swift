/// Where a database is and who one is there.
public struct DatabaseAddress: Sendable {
    /// `HOST:PORT` or `/SOCKET/DIRECTORY:PORT`.
    public var hosts: [String]
    public var name: String
    public var user: String
    public var password: String

    public init(hosts: [String], name: String, user: String, password: String) {
        self.hosts = hosts
        self.name = name
        self.user = user
        self.password = password
    }

    /// The cluster that all tests share.
    public static func shared() throws -> DatabaseAddress {
        var words: [Substring: Substring] = [:]
        for word in try TestEnvironment.value("TRACKME_TEST_DATABASE").split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { words[parts[0]] = parts[1] }
        }
        return DatabaseAddress(
            hosts: ["\(words["host"] ?? "127.0.0.1"):\(words["port"] ?? "5432")"],
            name: String(words["dbname"] ?? ""), user: String(words["user"] ?? ""),
            password: String(words["password"] ?? ""))
    }

    /// A service's settings of a database, as JSON.
    public func settings(schema: String, passwordFile: String, connectionsMax: Int = 6) -> String {
        let hosts = hosts.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            {"hosts": [\(hosts)], "name": "\(name)", "user": "\(user)", "password_file": "\(passwordFile)", \
            "schema": "\(schema)", "connections_max": \(connectionsMax)}
            """
    }

    /// libpq's connection string.
    public var connectionInfo: String {
        let parts = hosts.map { $0.split(separator: ":") }
        let (names, ports) = (parts.map { $0[0] }, parts.map { $0[1] })
        return "host=\(names.joined(separator: ",")) port=\(ports.joined(separator: ",")) dbname=\(name) user=\(user) "
            + "password=\(password)"
    }
}
