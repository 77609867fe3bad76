import JSON
@testable import Service
import Testing

@Suite struct ConfigurationChangeTests {
    private func change(_ old: String, _ new: String) throws -> ConfigurationChange {
        func value(_ text: String) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: Array(text.utf8))
        }
        return ConfigurationChange(from: try value(old), to: try value(new))
    }

    @Test("members that differ are found at any depth, those that came and those that went")
    func paths() throws {
        let change = try change(
            #"{"a": 1, "b": {"c": [1], "d": 2, "e": {"f": 1}}, "g": 1}"#,
            #"{"a": 1, "b": {"c": [2], "d": 2, "e": {"f": 2}}, "h": {"i": 1}}"#)
        #expect(change.paths == ["b.c", "b.e.f", "g", "h"])
        #expect(change.needingRestart == change.paths)
    }

    @Test("what a running service takes up needs no restart")
    func live() throws {
        let change = try change(
            #"{"log": {"level": "info"}, "peers": {"query": ["a:1"]}, "database": {"password_file": "/a", "schema": "x"}}"#,
            #"{"log": {"level": "debug"}, "peers": {"query": ["b:1"]}, "database": {"password_file": "/b", "schema": "y"}}"#
        )
        #expect(change.paths.count == 4)
        #expect(change.needingRestart == ["database.schema"])
    }
}
