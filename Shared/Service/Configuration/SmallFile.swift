import Glibc

/// Files that are read whole at start.
enum SmallFile {
    static let bytesMax = 1 << 20

    static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failed(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ConfigurationError("\(path) is not a regular file.") }
        var content = [UInt8](repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < content.count {
            let start = count
            let got = content.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            guard got >= 0 || errno == EINTR else { throw failed(path) }
            if got == 0 { break }
            count += max(0, got)
        }
        guard count <= bytesMax else { throw ConfigurationError("\(path) is larger than \(bytesMax) bytes.") }
        return Array(content[..<count])
    }

    static func checkReadable(_ path: String) throws(ConfigurationError) {
        guard access(path, R_OK) == 0 else { throw failed(path) }
    }

    /// Readable for this process, and not for everybody.
    static func checkSecret(_ path: String) throws(ConfigurationError) {
        try checkReadable(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw failed(path) }
        guard status.st_mode & 0o007 == 0 else {
            throw ConfigurationError(
                "\(path) holds a secret and is accessible to everybody; its mode should be 0600 or 0640.")
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func failed(_ path: String) -> ConfigurationError {
        ConfigurationError("\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
