import Glibc

/// Small files as text.
enum TextFile {
    static func read(_ path: String) throws(ProcessFailure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProcessFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            content += buffer[..<count]
        }
        return String(decoding: content, as: UTF8.self)
    }

    static func write(_ path: String, _ text: String) throws(ProcessFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ProcessFailure("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw ProcessFailure("\(path) could not be written")
        }
    }
}
