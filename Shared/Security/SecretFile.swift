import Glibc

/// Files that hold secrets: small, and not readable by everybody.
public enum SecretFile {
    static let bytesMax = 16_384

    /// The file's text without the white space around it. Throws `keyFile`, also when everybody may read or write it.
    public static func text(_ path: String) throws(SecurityError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemError(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .keyFile(path: path, reason: "not a regular file") }
        guard status.st_mode & 0o007 == 0 else {
            throw .keyFile(path: path, reason: "accessible to everybody; its mode should be 0600 or 0640")
        }
        var content = [UInt8](repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < content.count {
            let start = count
            let got = content.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
            }
            guard got >= 0 else {
                if errno == EINTR { continue }
                throw systemError(path)
            }
            if got == 0 { break }
            count += got
        }
        guard count <= bytesMax else { throw .keyFile(path: path, reason: "larger than \(bytesMax) bytes") }
        var text = content[..<count]
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(decoding: text.drop(while: isSpace), as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    /// Writes a new file with mode 0600, on disk when this returns; an existing file is never overwritten.
    static func create(_ path: String, text: String) throws(SecurityError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError(path) }
        defer { close(descriptor) }
        let content = Array(text.utf8)
        var written = 0
        while written < content.count {
            let start = written
            let put = content.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
            }
            guard put >= 0 || errno == EINTR else { throw systemError(path) }
            written += max(0, put)
        }
        guard fsync(descriptor) == 0 else { throw systemError(path) }
    }

    static func systemError(_ path: String) -> SecurityError {
        .keyFile(path: path, reason: String(cString: strerror(errno)))
    }
}
