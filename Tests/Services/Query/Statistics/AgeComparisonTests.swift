import Contracts
import Domain
import HTTP
import JSON
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Query
@testable import Statistics

@Suite("Comparison by age")
struct AgeComparisonTests {
    private func ask(
        _ world: World, _ type: DataType = .heartRate, age: Int = 46, as caller: String = "ingestion"
    ) async throws -> Query.AgeStatistics.Released? {
        try await world.service.rpc(as: caller).call(Query.AgeStatistics.self, .init(type: type, age: age)).released
    }

    /// Returns the mean that was released of the last day.
    @discardableResult
    private func release(_ world: World, ages: String = #"{"min": 40, "max": 49}"#) async throws -> Double? {
        let answer = try await world.asCompany(
            .post, "/group-requests",
            """
            {"data_types": ["heart-rate"], "bucket": "day", "from": "2025-06-01", "to": "2025-06-02", "where": {"age": \(ages)}}
            """)
        #expect(answer.status == 200, "\(answer.text)")
        return answer["buckets"]?.items.last?["mean"]?.double
    }

    @Test("ING-07: what was released about all people of the decade is compared with, and nothing is released for it")
    func released() async throws {
        try await World.with { world in
            try await GroupRequestTests.populate(world, count: 1001)
            #expect(try await ask(world) == nil)
            let mean = try await release(world)
            let released = try #require(try await ask(world))
            #expect(released.ageFrom == 40 && released.ageTo == 49)
            #expect(released.from == CalendarDate("2025-06-02") && released.to == released.from)
            #expect(released.mean == mean && released.margin > 0)
            #expect(try await ask(world, age: 52) == nil)
            #expect(try await ask(world, .oxygenSaturation) == nil)
            #expect(try await ask(world, .position) == nil)
        }
    }

    @Test("ING-07: an answer about other ages, one that is old, or one that was withheld is not compared with")
    func notReleased() async throws {
        try await World.with { world in
            try await GroupRequestTests.populate(world, count: 1001)
            try await release(world, ages: #"{"min": 40, "max": 48}"#)
            #expect(try await ask(world) == nil)
            try await release(world)
            world.clock.advance(by: .seconds(Int64(AgeComparison.daysMax + 2) * 86_400))
            #expect(try await ask(world) == nil)
        }
    }

    @Test("ING-07: only the ingestion service asks, and an age is one")
    func refused() async throws {
        try await World.with { world in
            await #expect(throws: RPCError.self) { _ = try await ask(world, as: "track4run") }
            await #expect(throws: RPCError.self) { _ = try await ask(world, age: -1) }
        }
    }
}
