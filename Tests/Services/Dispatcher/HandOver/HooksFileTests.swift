import Domain
import Glibc
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct HooksFileTests {
    /// A directory with a secret, for the time of one test.
    private func load(_ hooks: String, secret: String? = nil, mode: mode_t = 0o600) throws -> [Hook] {
        let directory = "/tmp/hooks-\(UUID.random())"
        #expect(mkdir(directory, 0o700) == 0)
        defer { for file in ["hooks.json", "secret", ""] { remove("\(directory)/\(file)") } }
        try write(secret ?? WebhookSecret.random().text, to: "\(directory)/secret")
        chmod("\(directory)/secret", mode)
        let text = hooks.split(separator: "SECRET", omittingEmptySubsequences: false).joined(
            separator: "\(directory)/secret")
        try write(text, to: "\(directory)/hooks.json")
        return try HooksFile.load("\(directory)/hooks.json")
    }

    private func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fputs(text, file) >= 0)
    }

    @Test("SOS-06c: hooks are read in order, with their areas")
    func good() throws {
        let hooks = try load(
            """
            {"hooks": [
              {"name": "milan", "url": "https://118.example.org/in", "secret_file": "SECRET",
               "area": {"circle": {"center": {"latitude": 45.46, "longitude": 9.19}, "radius_m": 20000}}},
              {"name": "test", "url": "http://127.0.0.1:9999/", "secret_file": "SECRET", "area": null,
               "allow_private": true}]}
            """)
        #expect(hooks.map(\.name) == ["milan", "test"])
        let all = Hooks(hooks)
        #expect(all.order(for: Coordinate(latitude: 45.5, longitude: 9.2)) == ["milan", "test"])
        #expect(all.order(for: Coordinate(latitude: 41.9, longitude: 12.5)) == ["test"])
        #expect(all.order(for: nil) == ["test"])
        #expect(Hooks([hooks[0]]).order(for: nil) == ["milan"])
        #expect(try load(#"{"hooks": []}"#).isEmpty)
    }

    @Test(
        "SOS-06: what is wrong with the file is said in one sentence",
        arguments: [
            #"{"hooks": [{"name": "a", "url": "http://example.org/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "a", "url": "http://10.0.0.1/", "secret_file": "SECRET", "allow_private": true}]}"#,
            #"{"hooks": [{"name": "A", "url": "https://example.org/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "a", "url": "ftp://example.org/", "secret_file": "SECRET"}]}"#,
            #"{"hooks": [{"name": "a", "url": "https://example.org/", "secret_file": "SECRET", "extra": 1}]}"#,
            #"{"hooks": [{"name": "a", "url": "https://example.org/", "secret_file": "/nonexistent"}]}"#,
            #"{"hooks": {}}"#, "",
        ])
    func bad(_ text: String) {
        #expect(throws: ConfigurationError.self) { try load(text) }
    }

    @Test("SOS-06 NFR-05: a weak secret, or one that everybody can read, is refused")
    func secrets() {
        let file = #"{"hooks": [{"name": "a", "url": "https://example.org/", "secret_file": "SECRET"}]}"#
        #expect(throws: ConfigurationError.self) { try load(file, secret: "whsec_c2hvcnQ=") }
        #expect(throws: ConfigurationError.self) { try load(file, mode: 0o644) }
    }
}
