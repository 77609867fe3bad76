import Domain
import JSON
import Primitives
import SuiteClient
import Testing

@testable import Simulator

@Suite("What people of the sandbox do")
struct SandboxRoleTests {
    private static let asked = "2026-11-20T10:00:00Z"
    private static let decided = "2026-11-20T10:01:00Z"

    private func request(_ state: String, _ types: String = #""heart-rate", "steps""#, kind: String = "request") throws
        -> ReceivedRequest
    {
        let text = """
            {"id": "01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", "kind": "\(kind)", "state": "\(state)",
             "requester": {"name": "Sandbox"}, "data_types": [\(types)], "reason": "", "created_at": "\(Self.asked)"
             \(state == "pending" ? "" : #", "decided_at": "\#(Self.decided)""#)}
            """
        return try JSONDecoder().decode(ReceivedRequest.self, from: Array(text.utf8))
    }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    @Test(
        "each answers in a way of its own",
        arguments: [
            (SandboxRole.accepts, SandboxRole.Step.accept(nil), 0), (.fast, .accept(nil), 0), (.walks, .accept(nil), 0),
            (.partly, .accept([.heartRate]), 0), (.later, .accept(nil), 20), (.little, .accept(nil), 0),
            (.refuses, .refuse, 0), (.withdraws, .accept(nil), 0), (.pauses, .accept(nil), 0),
        ])
    func answers(_ role: SandboxRole, _ step: SandboxRole.Step, _ seconds: Int) throws {
        let found = try #require(role.step(on: try request("pending")))
        #expect(found.step == step)
        #expect(found.at == (try time(Self.asked)) + .seconds(seconds))
    }

    @Test("who never answers does nothing, who shares the heart rate alone refuses what is without it")
    func others() throws {
        #expect(SandboxRole.silent.step(on: try request("pending")) == nil)
        #expect(SandboxRole.partly.step(on: try request("pending", #""steps""#))?.step == .refuse)
        for role in SandboxRole.allCases {
            #expect(role.step(on: try request("pending", kind: "check-in")) == nil)
            for state in ["refused", "lapsed", "withdrawn", "ended"] {
                #expect(role.step(on: try request(state)) == nil)
            }
        }
    }

    @Test("one withdraws some time after the acceptance, nobody else does")
    func withdrawal() throws {
        for role in SandboxRole.allCases {
            let found = role.step(on: try request("accepted"))
            guard role == .withdraws else {
                #expect(found == nil)
                continue
            }
            #expect(found?.step == .withdraw)
            #expect(found?.at == (try time(Self.decided)) + .seconds(20))
        }
    }

    @Test("one pauses for three minutes every six, by the clock")
    func pauses() throws {
        let even = try time("2026-11-20T10:00:00Z")
        let turns = [0, 179, 180, 359, 360].map { SandboxRole.pauses.isPaused(at: even + .seconds($0)) }
        #expect(turns == [false, false, true, true, false])
        #expect(!SandboxRole.accepts.isPaused(at: even + .seconds(180)))
    }

    @Test("the ten people are the same on every run, and nobody of the population")
    func people() {
        let people = SandboxPopulation.people(SandboxRole.allCases.count)
        #expect(people == SandboxPopulation.people(SandboxRole.allCases.count))
        #expect(people.count == 10 && Set(people.map(\.fiscalCode)).count == 10)
        let youngest = Population(count: 20_000).people.map(\.birthDate.year).max() ?? 0
        #expect(people.allSatisfy { $0.birthDate.year > youngest })
    }
}
