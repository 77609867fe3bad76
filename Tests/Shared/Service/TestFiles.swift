import Glibc
import Testing

/// A directory for one test's files, removed at its end.
struct TestFiles {
    let directory: String

    static func with<R>(_ body: (TestFiles) async throws -> R) async throws -> R {
        var template = Array("/tmp/trackme-service-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let files = TestFiles(directory: String(cString: made))
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(files)) } catch { outcome = .failure(error) }
        files.remove()
        return try outcome.get()
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        let bytes = Array(text.utf8)
        try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        return path(name)
    }

    private func remove() {
        if let stream = opendir(directory) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                }
                if name != ".", name != ".." { unlink(path(name)) }
            }
            closedir(stream)
        }
        rmdir(directory)
    }
}
