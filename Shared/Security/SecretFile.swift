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

    /// Writes a new file with mode 0600, on disk with its name when this returns; an existing file is never overwritten. What
    /// could not be written whole is removed.
    static func create(_ path: String, text: String) throws(SecurityError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError(path) }
        defer { close(descriptor) }
        do {
            try write(Array(text.utf8), to: descriptor, path)
            try syncDirectory(of: path)
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func write(_ content: [UInt8], to descriptor: Int32, _ path: String) throws(SecurityError) {
        var written = 0
        while written < content.count {
            let start = written
            let put = content.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
            }
            guard put >= 0 || errno == EINTR else { throw systemError(path) }
            written += max(0, put)
        }
        guard fsync(descriptor) == 0 else { throw systemError(path) }
    }

    /// A file's name is on disk when its directory is.
    private static func syncDirectory(of path: String) throws(SecurityError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError(directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw systemError(directory) }
    }

    static func systemError(_ path: String) -> SecurityError {
        .keyFile(path: path, reason: String(cString: strerror(errno)))
    }
}
