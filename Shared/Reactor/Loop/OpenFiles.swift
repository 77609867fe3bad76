import Glibc

/// How many descriptors this process may have open: sockets, files, epoll instances.
public enum OpenFiles {
    /// The limit of the process, which is raised to the hard limit when it is first asked for (distributions start
    /// programs with 1,024, for those that still use `select`).
    public static let limit: Int = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1024 }
        if limits.rlim_cur < limits.rlim_max {
            var raised = rlimit(rlim_cur: limits.rlim_max, rlim_max: limits.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limits = raised }
        }
        return Int(clamping: limits.rlim_cur)
    }()

    /// Connections that a server may have which would like `wanted`: at most three quarters of the limit, so that
    /// databases, files and calls to others have their part.
    public static func connections(wanted: Int, limit: Int = limit) -> Int {
        max(1, min(wanted, limit / 4 * 3))
    }
}
