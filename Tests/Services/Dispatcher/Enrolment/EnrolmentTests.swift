import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

@Suite struct EnrolmentTests {
    private func form(_ more: String = "", clauses: String = "2026-01") -> String {
        #"{"clauses_version": "\#(clauses)", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567"\#(more)}"#
    }

    @Test("SOS-01 SOS-08e: a person enrols, sees, changes and ends it")
    func life() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let path = "/dispatcher/v1/enrolment"
            #expect(try await dispatcher.call(.get, path, account: account).status == .notFound)
            try await dispatcher.enrol(account)
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            #expect(shown["abort_window_s"] == .integer(0), "none is the default")
            #expect(shown["is_active"] == .bool(true) && shown["rules"] == .string("age"))
            #expect(shown["callback_phone"] == .string("+39021234567"))
            let changed = try await dispatcher.call(
                .put, path, account: account, body: form(#", "rules": "fixed-45-120", "medication": "insulin""#))
            #expect(changed.status == .ok)
            #expect(try await dispatcher.json(changed)["medication"] == .array([.string("insulin")]))
            #expect(try await dispatcher.call(.delete, path, account: account).status == .noContent)
            #expect(try await dispatcher.call(.delete, path, account: account).status == .notFound)
            #expect(try await dispatcher.call(.get, path, account: account).status == .notFound)
            try await dispatcher.enrol(account)
        }
    }

    @Test("SOS-01e: what an ambulance service needs is asked for, kept and shown")
    func details() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let more = #"""
                , "contacts": [{"name": "Luca", "phone": "+39 333 1234567", "email": "luca@example.org"}],
                "conditions": ["diabetes"], "medication": ["insulin"], "languages": ["it", "de"],
                "address": {"street": "Via Dante 3", "postal_code": "20121", "city": "Milano", "floor": "2"},
                "address_notes": "second floor, no lift", "medical_reason": "epilepsy"
                """#
            let path = "/dispatcher/v1/enrolment"
            #expect(try await dispatcher.call(.put, path, account: account, body: form(more)).status == .created)
            let shown = try await dispatcher.json(try await dispatcher.call(.get, path, account: account))
            #expect(shown["callback_phone"] == .string("+39021234567"))
            #expect(shown["contacts"]?.items.first?["email"] == .string("luca@example.org"))
            #expect(shown["conditions"] == .array([.string("diabetes")]))
            #expect(shown["medication"] == .array([.string("insulin")]))
            #expect(shown["languages"] == .array([.string("it"), .string("de")]))
            #expect(shown["address_notes"] == .string("second floor, no lift"))
            #expect(
                shown["address"]?["street"] == .string("Via Dante 3") && shown["address"]?["country"] == .string("IT"))
            #expect(shown["medical_reason"] == .string("epilepsy"))
            // All of it goes to the ambulance service, and nowhere else.
            try await dispatcher.send([70, 38, 38, 38, 38], of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            let person = try call.json["person"]
            let home = try call.json["home"]
            #expect(home?["address"]?["postal_code"] == .string("20121"))
            #expect(home?["notes"] == .string("second floor, no lift"))
            #expect(person?["medical_reason"] == .string("epilepsy"))
        }
    }

    @Test(
        "SOS-01: what cannot be is refused, with a pointer",
        arguments: [
            (#", "abort_window_s": 61"#, "/abort_window_s"), (#", "languages": ["it", "!"]"#, "/languages"),
            (#", "conditions": ["a\u0007"]"#, "/conditions/0"),
            (#", "address_notes": "third floor""#, "/address/street"),
            (#", "address": {"street": "Via Dante", "postal_code": "2012", "city": "Milano"}"#, "/address/postal_code"),
            (#", "address": {"street": "", "postal_code": "20121", "city": "Milano"}"#, "/address/street"),
            (
                #", "address": {"street": "Am Ring 1", "postal_code": "1010", "city": "Wien", "country": "at"}"#,
                "/address/country"
            ),
            (#", "medical_reason": """#, "/medical_reason"),
            (#", "rules": "none""#, "/rules"), (#", "contacts": [{"name": "L", "phone": "12"}]"#, "/contacts/0/phone"),
        ])
    func refused(_ more: String, _ pointer: String) async throws {
        try await TestDispatcher.with { dispatcher in
            let response = try await dispatcher.call(
                .put, "/dispatcher/v1/enrolment", account: .random(), body: form(more))
            let problem = try await dispatcher.json(response)
            #expect(response.status == .unprocessableContent || response.status == .badRequest)
            #expect(problem["errors"]?.items.first?["pointer"] == .string(pointer))
        }
    }

    @Test(
        "SOS-01: limits are in characters and in bytes; all faults are named at once; the longest texts fit into a message"
    )
    func limits() async throws {
        try await TestDispatcher.with { dispatcher in
            let path = "/dispatcher/v1/enrolment"
            let family = String(repeating: "👨‍👩‍👧‍👦", count: 12)
            let faulty = try await dispatcher.call(
                .put, path, account: .random(),
                body: form(#", "conditions": ["ok", "\#(family)", "\u202e"], "abort_window_s": 99"#))
            let problem = try await dispatcher.json(faulty)
            #expect(faulty.status == .unprocessableContent && problem["code"] == .string("invalid-request"))
            let pointers = problem["errors"]?.items.compactMap { $0["pointer"]?.text }
            #expect(pointers == ["/conditions/1", "/conditions/2", "/abort_window_s"])

            let account = UUID.random()
            func texts(_ length: Int, _ count: Int) -> String {
                "["
                    + [String](repeating: "\"" + String(repeating: "è", count: length) + "\"", count: count)
                    .joined(separator: ",") + "]"
            }
            let line = String(repeating: "ì", count: 80)
            let address =
                #""address": {"street": "\#(line)", "postal_code": "20121", "city": "\#(line)"}, "medical_reason": "#
                + #""\#(String(repeating: "ò", count: 300))""#
            let contact = #"{"name": "\#(String(repeating: "à", count: 120))", "phone": "+39 333 1234567"}"#
            let longest = try await dispatcher.call(
                .put, path, account: account,
                body: form(
                    #", "conditions": \#(texts(120, 20)), "medication": \#(texts(120, 20)), \#(address), "address_notes": "#
                        + #""\#(String(repeating: "ù", count: 1000))", "contacts": ["#
                        + [String](repeating: contact, count: 5).joined(separator: ",") + "]"))
            #expect(longest.status == .created)
            try await dispatcher.send([70, 38, 38, 38, 38], of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(call.body.count < IncidentMessage.bytesMax)
        }
    }

    @Test("SOS-01: the clauses in force have to be accepted, and only individuals can enrol")
    func clauses() async throws {
        try await TestDispatcher.with { dispatcher in
            let response = try await dispatcher.call(
                .put, "/dispatcher/v1/enrolment", account: .random(), body: form(clauses: "2020-01"))
            #expect(try await dispatcher.json(response)["code"] == .string("clauses-not-accepted"))
            #expect(try await dispatcher.call(.put, "/dispatcher/v1/enrolment", body: form()).status == .unauthorized)
            let company = try dispatcher.tokens.token(.thirdParty, account: .random(), scopes: ["requests"])
            let other = try await dispatcher.call(
                .put, "/dispatcher/v1/enrolment", fields: ["Authorization": "Bearer \(company)"], body: form())
            #expect(other.status == .forbidden)
        }
    }

    @Test("SOS-01 NFR-05d: nothing personal is readable in the database")
    func sealed() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 38, 38, 38, 38], of: account)
            let dump = try await dispatcher.database.query(
                """
                select encode(details, 'escape') from enrolment union all
                select concat_ws(' ', phase, incident, revision, version) from wearer union all
                select encode(state, 'escape') from monitor union all
                select encode(details, 'escape') from incident union all
                select coalesce(detail, '') || coalesce(hook, '') || kind from incident_step union all
                select encode(content, 'escape') from notice
                """, as: String.self)
            #expect(dump.count > 5)
            for secret in ["1234567", "diabetes", "Luca", "45.46", "1950", "38"] {
                #expect(!dump.contains { $0.contains("\"\(secret)") || $0.contains(":\(secret)") })
            }
        }
    }

    @Test("SOS-02: whom to watch, and which signs, is published with each change, and as a snapshot")
    func watchFeed() async throws {
        try await TestDispatcher.with { dispatcher in
            let (stays, leaves) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(stays)
            try await dispatcher.enrol(leaves)
            _ = try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: leaves)
            let ingestion = LocalCaller(router: dispatcher.assembled.rpc, as: "ingestion")
            let page = try await ingestion.call(FeedSnapshot.self, .init(feed: Dispatcher.watchFeed, page: nil))
            #expect(page.entities.map(\.entity) == [stays])
            let cursor = FeedCursor(epoch: page.cursor?.epoch ?? "", positions: [])
            let read = try await ingestion.call(
                FeedRead.self,
                .init(feed: Dispatcher.watchFeed, cursor: cursor, acknowledged: nil, limit: 10, waitMilliseconds: 0))
            // Of one entity, the version tells what is newer.
            let events = read.events.sorted { $0.version < $1.version }
            let changes = try events.map { try $0.decode(Ingestion.Watch.self) }
            #expect(changes.filter { $0.accountID == leaves }.map(\.isWatched) == [true, false])
            #expect(events.filter { $0.entity == leaves }.map(\.version) == [1, 2])
            // SOS-02: all vital signs, and the motion of a fit.
            let signs: Set<DataType> = [
                .heartRate, .bloodPressureSystolic, .bloodPressureDiastolic, .oxygenSaturation, .respirationRate,
                .bodyTemperature, .glucose, .stressLevel, .shakingFrequency, .shakingAmplitude, .position,
            ]
            let watched = changes.filter(\.isWatched).map { Set($0.types ?? []) }
            #expect(watched.count == 2 && watched.allSatisfy(signs.isSubset))
            let stranger = LocalCaller(router: dispatcher.assembled.rpc, as: "query")
            await #expect(throws: RPCError.self) {
                try await stranger.call(FeedSnapshot.self, .init(feed: Dispatcher.watchFeed, page: nil))
            }
        }
    }

    @Test(
        "SOS-12a NFR-03: a device's token that has ended serves who is enrolled, and whoever presses while the database does not answer"
    )
    func overdue() async throws {
        try await TestDispatcher.with { dispatcher in
            let (account, stranger) = (UUID.random(), UUID.random())
            try await dispatcher.enrol(account)
            let enrolments = dispatcher.capabilities.enrolmentRoutes.store
            #expect(await enrolments.admitsOverdue(account))
            #expect(await !enrolments.admitsOverdue(stranger))
            try await dispatcher.database.transaction { transaction in
                try await transaction.execute("lock table enrolment in access exclusive mode")
                let began = Deadline.now()
                #expect(await enrolments.admitsOverdue(stranger))
                #expect(Deadline.now().since(began) < .seconds(2))
            }
        }
    }

    @Test("SOS-04a: the device is told to measure three times a second while the wearer is alerted")
    func monitor() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 38], of: account)
            let alerted = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/monitor", account: account))
            #expect(alerted["phase"] == .string("alerted") && alerted["measure_every_ms"] == .integer(333))
        }
    }
}
