import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Dispatcher

/// What ambulance services tell of their work decides nothing (SOS-13).
@Suite struct ProgressTests {
    private let arrival = Timestamp("2026-05-01T08:12:00Z")!

    private func kinds(_ transition: Incident.Transition) -> [IncidentStep.Kind] { transition.entries.map(\.kind) }

    private func call(_ second: Double) -> Incident.CallBack { .init(id: "msg_\(second)", sentAt: time(second)) }

    @Test(
        "SOS-13a: who has accepted tells that an ambulance is on its way, when it comes and that it is there; once each"
    )
    func told() {
        var incident = Incident()
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        _ = incident.apply(.accepted("north", call(5)), at: age(5))
        let reports: [(Incident.Progress, IncidentStep.Kind)] = [
            (.dispatched, .dispatched), (.arrivalExpected(arrival), .arrivalExpected), (.onScene, .onScene),
        ]
        for (index, (progress, kind)) in reports.enumerated() {
            let second = 6 + Double(index)
            let first = incident.apply(.progress("north", progress, call(second)), at: age(second))
            #expect(first.verdict == .done && kinds(first) == [kind])
            let before = incident
            let again = incident.apply(.progress("north", progress, call(second)), at: age(second))
            #expect(again.verdict == .repeated && again.entries.isEmpty && incident == before)
        }
        #expect(incident.help?.dispatchedAt == age(6) && incident.help?.onSceneAt == age(8))
        #expect(incident.help?.arrivalExpected == arrival)
        let later = arrival + .seconds(120)
        #expect(incident.apply(.progress("north", .arrivalExpected(later), call(7.5)), at: age(9)).verdict == .outdated)
        #expect(incident.apply(.progress("north", .arrivalExpected(later), call(9)), at: age(9)).verdict == .done)
        #expect(incident.help?.arrivalExpected == later)
    }

    @Test("SOS-13 SOS-07c: without an acceptance nothing is told, and whoever tells has not accepted")
    func notAccepted() {
        var incident = Incident()
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        _ = incident.apply(.handOverBegun("south"), at: age(20))
        for progress in [Incident.Progress.dispatched, .onScene, .arrivalExpected(arrival)] {
            #expect(incident.apply(.progress("north", progress, call(21)), at: age(21)).verdict == .notAccepted)
        }
        #expect(incident.stage == .unaccepted && incident.acceptedBy == nil && incident.help == nil)
        _ = incident.apply(.accepted("south", call(22)), at: age(22))
        #expect(incident.apply(.progress("north", .dispatched, call(23)), at: age(23)).verdict == .acceptedByAnother)
        #expect(incident.acceptedBy == "south" && incident.help == nil)
        _ = incident.apply(.resolved("south", call(60)), at: age(60))
        #expect(incident.apply(.progress("south", .dispatched, call(61)), at: age(61)).verdict == .closed)
    }

    @Test("SOS-13b: that somebody has seen it stops no escalation: without an acceptance the next hook is called")
    func seenOnly() {
        let times = HandOverTimes()
        var (incident, calls) = (Incident(), CallSchedule())
        _ = incident.apply(.unidentifiable, at: age(0))
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        let seen = incident.apply(.progress("north", .received, call(1)), at: age(1))
        #expect(seen.verdict == .done && kinds(seen) == [.seenByService])
        #expect(incident.apply(.progress("north", .received, call(2)), at: age(2)).verdict == .repeated)
        #expect(incident.state == .confirmed, "2xx alone is a receipt")
        let due = incident.due(at: age(16), hooks: ["north", "south"], times: times, calls: &calls) { 1 }
        #expect(due.contains(.alarmOperator(.noReceipt, hook: "north")) && due.contains(.begin(hook: "south")))
        _ = incident.apply(.received("north", number: 1), at: age(16.5))
        _ = incident.apply(.progress("north", .dispatched, call(17)), at: age(17))
        let later = incident.due(at: age(91), hooks: ["north", "south"], times: times, calls: &calls) { 1 }
        #expect(later.contains(.begin(hook: "south")))
    }

    @Test("SOS-13a: who hands an incident back takes along what was told, and says why")
    func handedBack() {
        var incident = Incident()
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        _ = incident.apply(.accepted("north", call(5)), at: age(5))
        _ = incident.apply(.progress("north", .arrivalExpected(arrival), call(6)), at: age(6))
        let rejected = incident.apply(.rejected("north", call(7), reason: .noVehicle), at: age(7))
        #expect(rejected.entries.first?.detail == "after-acceptance no-vehicle")
        #expect(incident.help == nil && incident.stage == .unaccepted)
    }

    @Test("SOS-13: a report that is older than the newest decision changes nothing about the order of decisions")
    func order() {
        var incident = Incident()
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        _ = incident.apply(.accepted("north", call(5)), at: age(5))
        _ = incident.apply(.progress("north", .dispatched, call(50)), at: age(6))
        // Sent before the report, and comes after it.
        #expect(incident.apply(.rejected("north", call(30)), at: age(7)).verdict == .done)
    }

    @Test("SOS-14: a thousand changes of the expected arrival are not a thousand steps of the history")
    func bounded() {
        var incident = Incident()
        _ = incident.apply(.handOverBegun("north"), at: age(0))
        _ = incident.apply(.accepted("north"), at: age(1))
        let steps = (0..<1000).flatMap { number in
            incident.apply(.progress("north", .arrivalExpected(arrival + .seconds(Int64(number)))), at: age(2)).entries
        }
        #expect(steps.count == Incident.Help.reportsMax)
        #expect(incident.help?.arrivalExpected == arrival + .seconds(999))
    }

    @Test(
        "SOS-13ae: the wearer sees what the ambulance service tells, signed and with its token; whoever else tells is refused"
    )
    func route() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            let call = try #require(await north.desk.firstCall())
            func tell(_ status: String, _ more: String = "", from hook: FakeHook? = nil) async throws -> HTTPResponse {
                try await dispatcher.reply(
                    "status", to: call, from: hook ?? north, more: #", "status": "\#(status)"\#(more)"#)
            }
            let expected = (Timestamp.now() + .seconds(480)).description
            #expect(try await tell("received").status == .ok)
            #expect(try await tell("dispatched").status == .conflict)
            #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
            #expect(try await tell("dispatched").status == .ok)
            #expect(try await tell("arrival-expected", #", "arrival": "\#(expected)""#).status == .ok)
            #expect(try await tell("arrival-expected").status == .unprocessableContent)
            let longAgo = (Timestamp.now() - .seconds(7200)).description
            #expect(
                try await tell("arrival-expected", #", "arrival": "\#(longAgo)""#).status == .unprocessableContent)
            #expect(try await tell("dancing").status == .unprocessableContent)
            #expect(try await tell("on-scene", from: south).status == .conflict)
            #expect(
                try await dispatcher.reply(
                    "status", to: call, from: north, token: "x", more: #", "status": "on-scene""#
                ).status == .unauthorized)
            let shown = try #require(try await dispatcher.incidents(of: account).first)
            #expect(shown["help"]?["arrival_expected"]?.text.flatMap { Timestamp($0) } == Timestamp(expected))
            #expect(shown["help"]?["dispatched_at"] != nil && shown["help"]?["on_scene_at"] == nil)
            let one = try await dispatcher.call(
                .get, "/dispatcher/v1/incidents/\(call.id.prefix(36))", account: account)
            let kinds = try await dispatcher.json(one)["steps"]?.items.compactMap { $0["kind"]?.text } ?? []
            #expect(Set(kinds).isSuperset(of: ["seen-by-service", "accepted", "dispatched", "arrival-expected"]))
        }
    }

    @Test("SOS-13a: a rejection says why, and one with a word that is not known is a rejection all the same")
    func reasons() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            for (hook, word, detail) in [
                (dispatcher.hooks[0], "no-vehicle", "no-vehicle"), (dispatcher.hooks[1], "of-tomorrow", "other"),
            ] {
                let call = try #require(await hook.desk.firstCall())
                let answer = try await dispatcher.reply(
                    "rejection", to: call, from: hook, more: #", "reason": "\#(word)""#)
                #expect(answer.status == .ok)
                let isStored = try await dispatcher.wait(
                    "select exists (select from incident_step where kind = 'rejected' and hook = \(hook.name) and detail = \(detail))"
                )
                #expect(isStored)
            }
        }
    }
}
