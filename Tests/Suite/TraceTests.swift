import ProcessTesting
import Reactor
import Testing

@Suite struct TraceTests {
    private static let script =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy/lib/trace.awk"
    private static let requirements = """
        | id | text |
        | ACC-01 | one |
        | ACC-02 | two |
        | ACC-03 | (a) three, (b) which has (24 h) two clauses |
        ## Done

        """

    // `@T(` stands for `@Test(`, lest these be counted themselves.
    @Test(
        "NFR-07: the trace counts tests that run, under ids that exist",
        arguments: [
            #"@T("ACC-01: a") func a() {}"#,
            "@T(\n    \"ACC-01, ACC-02: a (b)\", arguments: [1, 2]) func a() {}",
            #"@T("ACC-01: a /* no comment */") func a() {} // @T("ACC-99: b")"#,
            "let a = \"\"\"\n*/*\n\"\"\"; @T(\"ACC-01: a\") func a() {}",
            #"@T("SHA-512: not an id of ours") func a() {} @T("ACC-01: a") func b() {}"#,
        ])
    func accepted(_ test: String) async throws { #expect(try await trace(test, isDone: "ACC-01")) }

    @Test(
        "NFR-07: the trace refuses tests that do not run, and ids that do not exist",
        arguments: [
            #"@T("ACC-01: a", .disabled("later")) func a() {}"#,
            #"@T("ACC-01: a", .tags(.some), .enabled(if: isNight)) func a() {}"#,
            #"@S(.disabled()) struct Suite { @T("ACC-01: a") func a() {} }"#,
            #"/* @T("ACC-01: a") func a() {} */"#,
            #"/* a /* b */ @T("ACC-01: a") func a() {} */"#,
            #"    // @T("ACC-01: a") func a() {}"#,
            #"@T("ACC-01 ACC-99: a") func a() {}"#,
            #"@T("ACC-99 / ACC-01: a") func a() {} @T("ACC-01: b") func b() {}"#,
            #"@T("ACC-1: a") func a() {} @T("ACC-01: b") func b() {}"#,
            #"@T("ACC-02 a") func a() {} @T("ACC-01: b") func b() {}"#,
        ])
    func refused(_ test: String) async throws { #expect(try await !trace(test, isDone: "ACC-01")) }

    @Test(
        "NFR-07: a requirement of several clauses is done when each has a test",
        arguments: [
            (#"@T("ACC-03ab: a") func a() {}"#, true), (#"@T("ACC-03a ACC-03b: a") func a() {}"#, true),
            (#"@T("ACC-03a: a") func a() {} @T("ACC-03b ACC-01: b") func b() {}"#, true),
            (#"@T("ACC-03: a") func a() {}"#, false), (#"@T("ACC-03a: a") func a() {}"#, false),
            (#"@T("ACC-03abc: a") func a() {}"#, false), (#"@T("ACC-01a ACC-03ab: a") func a() {}"#, false),
        ])
    func clauses(_ test: String, _ isDone: Bool) async throws {
        #expect(try await trace(test, isDone: "ACC-03") == isDone)
    }

    @Test(
        "NFR-07: tests of pages count by their doc strings, unless they are switched off",
        arguments: [
            ("    def test_a(self):\n        \"\"\"ACC-01: a.\"\"\"", true),
            ("    def test_a(self):\n        \"\"\"ACC-01: a\n        and b.\"\"\"", true),
            ("    def helper(self):\n        \"\"\"ACC-01: a.\"\"\"", false),
            ("    def test_a(self):\n        pass\n        \"\"\"ACC-01: a.\"\"\"", false),
            ("    def test_a(self):\n        \"\"\"ACC-01 ACC-99: a.\"\"\"", false),
            ("    @unittest.skip\n    def test_a(self):\n        \"\"\"ACC-01: a.\"\"\"", false),
        ])
    func pages(_ test: String, _ isProved: Bool) async throws {
        #expect(try await trace(test, in: "test_some.py", isDone: "ACC-01") == isProved)
    }

    private func trace(
        _ test: String, in name: String = "SomeTests.swift", isDone id: String
    ) async throws -> Bool {
        let script = Self.script
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let requirements = try directory.write("Requirements.md", Self.requirements + id)
                let file = try directory.write(
                    name,
                    test.replacing("@T(", with: "@Test(").replacing("@S(", with: "@Suite(") + "\n")
                let process = try await ChildProcess.start(
                    ["bash", "-c", "echo \(file) | awk -f \(script) \(requirements) -"],
                    output: directory.file("output"))
                return try await process.waitForEnd() == .exited(0)
            }
        }
    }
}
