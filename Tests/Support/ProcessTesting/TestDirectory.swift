import Glibc

/// A directory for one test's files, removed at its end. To be used on a loop.
public struct TestDirectory: Sendable {
    public let path: String

    public static func with<R: Sendable>(_ body: (TestDirectory) async throws -> R) async throws -> R {
        var template = Array("/tmp/trackme-suite-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw ProcessFailure("mkdtemp: \(errno)") }
        let directory = TestDirectory(path: String(cString: made))
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(directory)) } catch { outcome = .failure(error) }
        try await uncancelled { try await ChildProcess.run(["rm", "-rf", directory.path], output: "/dev/null") }
        return try outcome.get()
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A file that only its owner reads. Returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try TextFile.write(file(name), text)
        return file(name)
    }

    public func read(_ name: String) throws -> String { try TextFile.read(file(name)) }

    /// What is in a directory below.
    public func list(_ name: String) -> [String] {
        guard let stream = opendir(file(name)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
