import Glibc

/// Small files, read and written at once. It blocks: for programs at start, and for tests.
public enum File {
    /// The content of a file of at most `bytesMax` bytes.
    public static func read(_ path: String, bytesMax: Int = 64 << 20) throws(SuiteError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= bytesMax else { throw .local("\(path) has more than \(bytesMax) bytes.") }
        }
    }

    /// Replaces the file at `path`, which only its owner can read; readers see the old content or the new.
    public static func write(_ text: String, to path: String) throws(SuiteError) {
        let draft = "\(path).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", path) }
        defer { close(descriptor) }
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            left = left.dropFirst(count)
        }
        guard rename(draft, path) == 0 else { throw failure("write", path) }
    }

    /// The names in a directory, sorted; empty when it does not exist.
    public static func names(in directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func failure(_ what: String, _ path: String) -> SuiteError {
        .local("Cannot \(what) \(path): \(String(cString: strerror(errno))).")
    }
}
