import Glibc

/// A cluster whose disk is small, and can be filled.
extension PrivateCluster {
    /// Whether this process may mount file systems, as a small disk needs.
    public static var canHaveSmallDisk: Bool {
        let administers = 1 << 21
        guard let status = try? TextFile.read("/proc/self/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
            let mask = Int(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16)
        else { return false }
        return mask & administers != 0
    }

    func mount(megabytes: Int) async throws {
        try await ChildProcess.run(["mkdir", data], output: log)
        try await ChildProcess.run(
            ["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700", "tmpfs", data], output: log)
        try await ChildProcess.run(["chown", user, data], output: log)
    }

    private var ballast: String { "\(data)/ballast" }

    /// Takes all the room that is left, for the server and everybody else.
    public func fillDisk() throws {
        let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw ProcessFailure("no ballast: \(errno)") }
        defer { close(file) }
        for size in [1 << 20, 4096] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(file, bytes, size) > 0 {}
            guard errno == ENOSPC else { throw ProcessFailure("the disk is not full, but: \(errno)") }
        }
    }

    /// Gives the room back.
    public func emptyDisk() throws {
        guard unlink(ballast) == 0 else { throw ProcessFailure("no ballast: \(errno)") }
    }
}
