import Glibc

/// Files that are read whole: configuration, keys, passwords.
public enum SmallFile {
    /// Why a file cannot be used.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        public let path: String
        /// In words that go after the path and a colon.
        public let reason: String

        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        public var description: String { "\(path) cannot be used: \(reason)" }
    }

    /// The content of a regular file of at most `bytesMax` bytes. A secret must not be accessible to everybody.
    public static func read(_ path: String, bytesMax: Int, isSecret: Bool = false) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemFailure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemFailure(path) }
        try check(status, of: path, isSecret: isSecret)
        var content = [UInt8](repeating: 0, count: min(bytesMax, max(0, Int(status.st_size))) + 1)
        var count = 0
        while count <= bytesMax {
            // It has grown since.
            if count == content.count { content += [UInt8](repeating: 0, count: min(count, bytesMax + 1 - count)) }
            let start = count
            let got = content.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            guard got >= 0 || errno == EINTR else { throw systemFailure(path) }
            if got == 0 { break }
            count += max(0, got)
        }
        guard count <= bytesMax else { throw Failure(path: path, reason: "larger than \(bytesMax) bytes") }
        return Array(content[..<count])
    }

    /// That the file can be read, without reading it.
    public static func check(_ path: String, isSecret: Bool = false) throws(Failure) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else { throw systemFailure(path) }
        try check(status, of: path, isSecret: isSecret)
    }

    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func check(_ status: stat, of path: String, isSecret: Bool) throws(Failure) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(path: path, reason: "not a regular file") }
        guard !isSecret || status.st_mode & 0o007 == 0 else {
            throw Failure(path: path, reason: "accessible to everybody; its mode should be 0600 or 0640")
        }
    }

    /// What `errno` says.
    private static func systemFailure(_ path: String) -> Failure {
        Failure(path: path, reason: String(cString: strerror(errno)))
    }
}
