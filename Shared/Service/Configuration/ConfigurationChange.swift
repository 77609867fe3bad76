import JSON

/// The differences between a configuration and the one before, and whether a running service can apply them.
struct ConfigurationChange {
    /// Members that a running service applies, with all below them. All others need a restart.
    private static let live = [
        "log.level", "tracing.sampling", "peers", "public.limits", "public.trusted_proxies", "keys.field_key_file",
        "database.hosts", "database.name", "database.user", "database.password_file", "database.authority_file",
    ]

    /// Paths of members: `database.connections_max`.
    let paths: [String]

    init(from old: JSONValue, to new: JSONValue) {
        var paths: [String] = []
        Self.compare(old, new, "", &paths)
        self.paths = paths
    }

    /// Members that need a restart.
    var needingRestart: [String] {
        paths.filter { path in !Self.live.contains { path == $0 || path.hasPrefix($0 + ".") } }
    }

    private static func compare(_ old: JSONValue, _ new: JSONValue, _ path: String, _ paths: inout [String]) {
        guard case .object(let before) = old, case .object(let after) = new else {
            if old != new { paths.append(path) }
            return
        }
        let names = before.members.map(\.key) + after.members.map(\.key).filter { before[$0] == nil }
        for name in names {
            let inner = path.isEmpty ? name : "\(path).\(name)"
            if let old = before[name], let new = after[name] {
                compare(old, new, inner, &paths)
            } else {
                paths.append(inner)
            }
        }
    }
}
