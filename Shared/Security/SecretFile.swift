import Glibc
import Primitives

/// Files that hold secrets: small, and not readable by everybody.
public enum SecretFile {
    static let bytesMax = 16_384

    /// The file's text without the white space around it. Throws `keyFile`, also when everybody may read or write it.
    public static func text(_ path: String) throws(SecurityError) -> String {
        let content: [UInt8]
        do throws(SmallFile.Failure) {
            content = try SmallFile.read(path, bytesMax: bytesMax, isSecret: true)
        } catch { throw .keyFile(path: path, reason: error.reason) }
        var text = content[...]
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
