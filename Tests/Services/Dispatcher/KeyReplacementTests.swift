import Contracts
import Domain
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

@Suite struct KeyReplacementTests {
    @Test("NFR-05d: all that is sealed here is sealed with a new key by rotation, also halfway, and the old one can go")
    func replacement() async throws {
        let replacement = try KeyReplacement()
        try await TestDispatcher.with(keys: replacement.keys) { dispatcher in
            let (first, second) = (UUID.random(), UUID.random())
            dispatcher.accounts.state.withLock { $0.takesNotices = false }
            try await dispatcher.enrol(first)
            try await dispatcher.send([35, 34, 33, 34, 35], of: first)
            _ = await dispatcher.hooks[0].desk.wait { !$0.isEmpty }
            // What is sealed with the old key is written before the new one is there.
            #expect(try await dispatcher.wait("select exists (select from incident_step where kind = 'received')"))
            #expect(try await dispatcher.wait("select exists (select from notice)"))
            // Without anybody who takes them, messages to contacts wait; and an event that is due later.
            #expect(try await dispatcher.wait("select exists (select from contact_message where state = 'waiting')"))
            let late = ContactEvent.sensorLost(since: .now(), of: first)
            try await dispatcher.database.execute(
                try ContactEvent.insert([late], FieldCipher(dispatcher.context.keys.fields)))
            try await replacement.park(in: dispatcher.database, of: "dispatcher")
            let databases = [dispatcher.database, dispatcher.keyStore.database]
            #expect(
                try await replacement.columns(sealedWith: .old, in: databases) == [
                    "incident.details", "notice.content", "feed_parked.payload", "subject_key.wrapped",
                    "contact_event.content", "contact_message.content",
                ])

            try replacement.begin()
            try await dispatcher.enrol(second)
            #expect(
                try await replacement.columns(sealedWith: .new, in: databases).contains("subject_key.wrapped"))
            try await replacement.rotate(try await DispatcherService.sealedColumns(dispatcher.context))
            #expect(try await replacement.columns(sealedWith: .old, in: databases) == [])
            try replacement.end()

            for account in [first, second] {
                let enrolment = try await dispatcher.json(
                    try await dispatcher.call(.get, "/dispatcher/v1/enrolment", account: account))
                #expect(enrolment["conditions"]?.items == [.string("diabetes")])
            }
            #expect(try await dispatcher.incidents(of: first).count == 1)
            try await dispatcher.send([70, 71], of: first)
            #expect(try await replacement.opensParked(in: dispatcher.database, of: "dispatcher"))
            dispatcher.accounts.state.withLock { $0.takesNotices = true }
            let isTold = try await dispatcher.wait { !dispatcher.accounts.notices.isEmpty }
            #expect(isTold)
        }
    }
}
