import Domain
import HTTP
import JSON
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Track4Run

/// What an organiser learns while drawing (RUN-03).
@Suite struct RunCheckTests {
    private struct Outcome: Decodable {
        let conflict: String?
    }

    private func check(
        _ path: Polyline, startsIn: Duration, besides run: UUID? = nil, _ service: Track4RunTest
    ) async throws -> Track4RunTest.Answer {
        let line = String(decoding: try JSONEncoder().encode(LineString(path.points)), as: UTF8.self)
        let start = service.clock.now() + startsIn
        let own = run.map { #", "run": "\#($0)""# } ?? ""
        return try await service.call(
            .post, "/run-checks", as: service.organiser, .thirdParty,
            body: #"{"path": \#(line), "start": "\#(start)", "end": "\#(start + .seconds(3600))"\#(own)}"#)
    }

    @Test(
        "RUN-03d: whoever draws a course learns what stands in its way; a run that is changed does not stand in its own"
    )
    func warned() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let drawn = Paths.path([(90, 2000)])
            func conflict(_ path: Polyline, startsIn: Duration, besides run: UUID? = nil) async throws -> String? {
                let answer = try await check(path, startsIn: startsIn, besides: run, service)
                #expect(answer.status == .ok)
                return try answer.decode(Outcome.self).conflict
            }
            #expect(try await conflict(drawn, startsIn: .seconds(7200)) == "same-place-and-time")
            #expect(try await conflict(drawn, startsIn: .seconds(5 * 3600)) == "shared-path")
            #expect(try await conflict(drawn, startsIn: .seconds(5 * 3600), besides: run) == nil)
            #expect(try await conflict(drawn, startsIn: .seconds(3 * 86_400)) == nil)
            #expect(try await conflict(Paths.path([(0, 2000)]), startsIn: .seconds(5 * 3600)) == nil)
            // Nothing was made.
            #expect(try await service.list().runs.map(\.id) == [run])
        }
    }

    @Test("RUN-03ad: a course or time that is impossible by itself is refused, not compared")
    func impossible() async throws {
        try await Track4RunTest.with { service in
            let short = try await check(Paths.path([(90, 50)]), startsIn: .seconds(7200), service)
            #expect(short.status == .unprocessableContent && short.code == "impossible-path")
            let past = try await check(Paths.path([(90, 2000)]), startsIn: .seconds(-60), service)
            #expect(past.status == .unprocessableContent && past.code == "start-not-in-future")
        }
    }
}
