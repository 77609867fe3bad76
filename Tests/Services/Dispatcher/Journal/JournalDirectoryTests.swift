import Glibc
import Primitives
import Testing

@testable import Dispatcher

/// The journal's directory on a real disk.
@Suite struct JournalDirectoryTests {
    private func with(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/trackme-journal-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        let path = try #require(made)
        defer {
            for name in (try? JournalDirectory("\(path)/journal").files()) ?? [] { unlink("\(path)/journal/\(name)") }
            rmdir("\(path)/journal")
            rmdir(path)
        }
        try body(path)
    }

    @Test("SOS-07a: it is made for its owner alone, and files in it are, too; what was appended is read again")
    func files() throws {
        try with { path in
            let directory = JournalDirectory("\(path)/journal")
            try directory.open()
            try directory.append([1, 2], to: "a.journal")
            try directory.append([3], to: "a.journal")
            #expect(try directory.read("a.journal") == [1, 2, 3])
            #expect(try directory.files().contains("a.journal"))
            var status = stat()
            #expect(stat("\(path)/journal", &status) == 0 && status.st_mode & 0o777 == 0o700)
            #expect(stat("\(path)/journal/a.journal", &status) == 0 && status.st_mode & 0o777 == 0o600)
            try directory.remove("a.journal")
            try directory.remove("a.journal")
            #expect(try !directory.files().contains("a.journal"))
            directory.close()
        }
    }

    @Test("SOS-07a: one process has it at a time; the next gets it when that one has closed it, or died")
    func alone() throws {
        try with { path in
            let (first, second) = (JournalDirectory("\(path)/journal"), JournalDirectory("\(path)/journal"))
            try first.open()
            #expect(throws: JournalFault.taken) { try second.open() }
            first.close()
            try second.open()
            second.close()
        }
    }

    @Test("NFR-05: a directory that is open to others is refused, and so is a file in its place")
    func open() throws {
        try with { path in
            #expect(mkdir("\(path)/journal", 0o755) == 0 && chmod("\(path)/journal", 0o755) == 0)
            #expect(throws: JournalFault.self) { try JournalDirectory.check("\(path)/journal") }
            #expect(throws: JournalFault.self) { try JournalDirectory("\(path)/journal").open() }
            #expect(throws: JournalFault.self) { try JournalDirectory.check("/dev/null") }
            #expect(throws: JournalFault.self) { try JournalDirectory.check("\(path)/missing/journal") }
            #expect(chmod("\(path)/journal", 0o700) == 0)
            try JournalDirectory.check("\(path)/journal")
        }
    }
}
