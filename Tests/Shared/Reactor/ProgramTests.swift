import Glibc
import Reactor
import Testing

@Suite struct ProgramTests {
    private func run(_ script: String, input: String = "", timeMax: Duration = .seconds(30)) throws -> Program.Outcome {
        try Program(["/bin/sh", "-c", script], timeMax: timeMax).run(input: Array(input.utf8)).get()
    }

    @Test("a program gets its input and is judged by its exit status and error output")
    func outcome() throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(
            try run("test $(wc -c) = 1048576 && echo taken >&2", input: text)
                == .init(exitStatus: 0, complaint: "taken\n"))
        #expect(try run("echo no >&2; exit 75", input: text) == .init(exitStatus: 75, complaint: "no\n"))
        #expect(try run("kill -9 $$").exitStatus == nil)
    }

    @Test("a program has none of our descriptors, variables and ignored signals")
    func surroundings() throws {
        setenv("TRACKME_SECRET", "x", 1)
        defer { unsetenv("TRACKME_SECRET") }
        let listing = try run(
            "ls /proc/self/fd >&2; env >&2; yes | head -n 1 >/dev/null; kill -s PIPE $$; echo alive >&2")
        #expect(listing.exitStatus == nil, "it lives through a broken pipe")
        let lines = listing.complaint.split(separator: "\n")
        #expect(lines.filter { $0.allSatisfy(\.isNumber) } == ["0", "1", "2", "3"], "3 is the listing's own")
        #expect(!listing.complaint.contains("TRACKME_SECRET") && lines.contains("LC_ALL=C"))
    }

    @Test("a program that does not end is killed with what it has started; what it says is cut off")
    func limits() throws {
        let start = Deadline.now()
        #expect(throws: Program.Failure.timedOut) {
            try run("sleep 1000 & sleep 1000", timeMax: .milliseconds(100))
        }
        #expect(Deadline.now().since(start) < .seconds(20))
        let complaint = try run("yes | head -c 100000 >&2").complaint
        #expect(complaint.utf8.count == Program.complaintBytesMax)
        // Somebody it leaves behind holds its output open.
        #expect(try run("sleep 1000 & exit 3").exitStatus == 3)
        #expect(throws: Program.Failure.system("starting /no/such", ENOENT)) {
            try Program(["/no/such"], timeMax: .seconds(1)).run(input: []).get()
        }
    }
}
