import Primitives
import Service
import Telemetry
import Testing

@testable import Dispatcher

@Suite struct HandOverMetricsTests {
    @Test("SOS-13: operators see what a hook has not received, and when a call to it last ended how")
    func hooks() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            func text() async -> String { String(decoding: await dispatcher.context.metrics.text(), as: UTF8.self) }
            // Hooks that were never called are told, too.
            #expect(await text().contains("trackme_handovers_outstanding{hook=\"south\"} 0\n"))
            let hook = dispatcher.hooks[0]
            hook.desk.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let answered = "trackme_hook_answered_timestamp_seconds{hook=\"north\",outcome="
            let isRefused = try await dispatcher.wait { await text().contains(answered + "\"http-503\"}") }
            #expect(isRefused)
            #expect(await text().contains("trackme_handovers_outstanding{hook=\"north\"} 1\n"))
            hook.desk.behave(.accept)
            let isReceived = try await dispatcher.wait {
                let text = await text()
                return text.contains(answered + "\"received\"}")
                    && text.contains("trackme_handovers_outstanding{hook=\"north\"} 0\n")
            }
            #expect(isReceived)
        }
    }
}
