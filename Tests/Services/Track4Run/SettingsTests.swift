import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct SettingsTests {
    @Test("A time zone that PostgreSQL does not know is refused at the start, in a sentence")
    func timeZone() async throws {
        var settings = Track4RunSettings(keystore: try .given(schema: "keys"))
        settings.timeZone = "Europe/Roma"
        let error = await #expect(throws: ConfigurationError.self) {
            try await TestService<Track4RunService>.with(settings: settings) { _ in }
        }
        #expect(error?.description.contains("settings.time_zone") == true)
        try await Track4RunTest.with { test in try await test.context.settings.check(in: test.database) }
    }
}
