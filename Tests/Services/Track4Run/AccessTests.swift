import Contracts
import HTTP
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await Track4RunTest.with { test in
            let faults = try await AccessWalk.faults(
                in: test.assembled, tokens: test.tokens,
                open: [
                    "GET /track4run/v1/runs", "GET /track4run/v1/runs/:run", "GET /track4run/v1/runs/:run/live",
                    "GET /track4run/v1/runs/:run/ranking", "POST /track4run/v1/runs/:run/runner-search",
                ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05b: each RPC method is for the neighbours that this table names, and refuses everybody else before it looks at what they send"
    )
    func neighbours() async throws {
        try await Track4RunTest.with { test in
            let faults = await ClientWalk.faults(
                in: test.assembled,
                table: [
                    "feed.read": ["ingestion", "dispatcher"],
                    "feed.snapshot": ["ingestion", "dispatcher"],
                    "track4run.export": ["accounts"],
                    "track4run.erasures": ["accounts"],
                ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05: nobody but the organiser changes a run or sees who takes part, and nobody ends another's enrolment"
    )
    func others() async throws {
        try await Track4RunTest.with { test in
            let run = try await test.create()
            let runner = UUID.random()
            #expect(try await test.enrol(runner, in: run.id).status == .created)
            let (rival, stranger) = (UUID.random(), UUID.random())
            test.neighbours.addCompany(rival)
            func state() async throws -> [[UInt8]] {
                [
                    try await test.call(.get, "/runs/\(run.id)").bytes,
                    try await test.call(.get, "/runs/\(run.id)/participants", as: test.organiser, .thirdParty).bytes,
                    try await test.call(.get, "/me/enrolments", as: runner).bytes,
                ]
            }
            let before = try await state()
            let prefix = "/track4run/v1/runs"
            let ends = ["", "/enrolments", "/participants", "/participants/:bib/evidence"]
            let faults = try await OwnershipWalk.faults(
                in: test.assembled,
                things: Dictionary(
                    uniqueKeysWithValues: ends.map {
                        ("\(prefix)/:run\($0)", "\(prefix)/\(run.id)\($0.replacing(":bib", with: "1"))")
                    }),
                bodies: ["PATCH \(prefix)/:run": #"{"name": "Mine"}"#],
                forEverybody: ["POST \(prefix)/:run/enrolments"], visible: Set(ends.map { "\(prefix)/:run\($0)" })
            ) { kind in
                try test.tokens.token(
                    kind, account: kind == .individual ? stranger : rival,
                    scopes: kind == .thirdParty ? [AccessScope.runs.rawValue] : [])
            }
            #expect(faults == [])
            #expect(try await state() == before)
        }
    }
}
