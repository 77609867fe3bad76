import Domain
import Glibc
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct MessageHooksFileTests {
    /// A directory with a secret, for the time of one test.
    private func load(_ hooks: String) throws -> [MessageHook] {
        let directory = "/tmp/message-hooks-\(UUID.random())"
        #expect(mkdir(directory, 0o700) == 0)
        defer { for file in ["hooks.json", "secret", ""] { remove("\(directory)/\(file)") } }
        try write(WebhookSecret.random().text, to: "\(directory)/secret")
        chmod("\(directory)/secret", 0o600)
        try write(
            hooks.split(separator: "SECRET", omittingEmptySubsequences: false).joined(separator: "\(directory)/secret"),
            to: "\(directory)/hooks.json")
        return try MessageHooksFile.load("\(directory)/hooks.json")
    }

    private func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fputs(text, file) >= 0)
    }

    private func entry(_ name: String, _ kind: String, _ url: String = "https://sms.example.org/in") -> String {
        #"{"name": "\#(name)", "kind": "\#(kind)", "url": "\#(url)", "secret_file": "SECRET"}"#
    }

    @Test("SOS-09a SOS-13b: Hooks for messages and alarms are read by kind, in order; without a file there are none")
    func good() throws {
        let hooks = try load(
            """
            {"hooks": [\(entry("one", "sms")), \(entry("two", "call")), \(entry("three", "sms")),
              \(entry("duty", "alarm")), \(entry("boss", "escalation"))]}
            """)
        let all = MessageHooks(hooks)
        #expect(all.all(.sms).map(\.name) == ["one", "three"] && all.all(.call).map(\.name) == ["two"])
        #expect(all.all(.alarm).map(\.name) == ["duty"] && all["boss"]?.kind == .escalation)
        #expect(try MessageHooksFile.load(nil).isEmpty)
    }

    @Test(
        "SOS-09a: A file that cannot be used is refused",
        arguments: [
            #"{"hooks": [{"name": "a", "kind": "fax", "url": "https://x.example/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "A b", "kind": "sms", "url": "https://x.example/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "a", "kind": "sms", "url": "http://x.example/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "a", "kind": "sms", "url": "https://x.example/", "secret_file": "/nonexistent"}]}"#,
            #"{"hooks": [], "more": 1}"#,
        ])
    func bad(_ text: String) {
        #expect(throws: ConfigurationError.self) { try load(text) }
    }

    @Test("SOS-09a: Two hooks of one name are refused")
    func twice() {
        #expect(throws: ConfigurationError.self) {
            try load("{\"hooks\": [\(entry("a", "sms")), \(entry("a", "call"))]}")
        }
    }
}
