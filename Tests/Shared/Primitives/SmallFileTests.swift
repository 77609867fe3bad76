import Glibc
import Primitives
import Testing

@Suite struct SmallFileTests {
    /// A file of its own for the time of `body`.
    private func with(_ content: String, mode: mode_t = 0o600, _ body: (String) throws -> Void) throws {
        var path = Array("/tmp/trackme-small-file-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        #expect(write(descriptor, content, content.utf8.count) == content.utf8.count)
        fchmod(descriptor, mode)
        close(descriptor)
        try body(name)
    }

    @Test("the whole content up to the limit", arguments: [0, 1, 9, 10])
    func whole(count: Int) throws {
        try with(String(repeating: "x", count: count)) { path in
            let content = try SmallFile.read(path, bytesMax: 10)
            #expect(content.count == count)
        }
    }

    @Test("nothing of a file beyond the limit")
    func tooLarge() throws {
        try with(String(repeating: "x", count: 10)) { path in
            #expect(throws: SmallFile.Failure(path: path, reason: "larger than 9 bytes")) {
                try SmallFile.read(path, bytesMax: 9)
            }
        }
    }

    @Test("files of the kernel, whose size says nothing, are read as well")
    func kernelFile() throws {
        #expect(try SmallFile.read("/proc/self/status", bytesMax: 1 << 16).count > 100)
    }

    @Test("NFR-05: a secret that everybody may read or write is refused", arguments: [0o604, 0o602] as [mode_t])
    func secret(mode: mode_t) throws {
        try with("key", mode: mode) { path in
            let content = try SmallFile.read(path, bytesMax: 10)
            #expect(content == Array("key".utf8))
            let failure = SmallFile.Failure(
                path: path, reason: "accessible to everybody; its mode should be 0600 or 0640")
            #expect(throws: failure) { try SmallFile.read(path, bytesMax: 10, isSecret: true) }
            #expect(throws: failure) { try SmallFile.check(path, isSecret: true) }
        }
    }

    @Test("what is not there or no regular file says so")
    func absent() {
        #expect(throws: SmallFile.Failure(path: "/nowhere/x", reason: "No such file or directory")) {
            try SmallFile.read("/nowhere/x", bytesMax: 10)
        }
        #expect(throws: SmallFile.Failure(path: "/tmp", reason: "not a regular file")) {
            try SmallFile.read("/tmp", bytesMax: 10)
        }
        #expect(SmallFile.isDirectory("/tmp") && !SmallFile.isDirectory("/etc/hostname"))
    }
}
