import Contracts
import Domain
import Postgres
import Primitives
import Testing

@testable import Query
@testable import Statistics

@Suite struct ProfileIntakeTests {
    private func profiles(_ world: World) async throws -> [UInt8] {
        let column = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: world.statistics)
        return column.cells.prefix(4).map(\.sex)
    }

    private func profile(_ subject: Int32, _ sex: Sex) -> Accounts.CoarseProfile {
        SubjectMaskTests.profile(subject, sex)
    }

    @Test(
        "GRP-09 NFR-04: a snapshot replaces profiles whatever their versions and clears those it does not mention",
        arguments: [false, true])
    func snapshot(isMerged: Bool) async throws {
        try await World.with { world in
            let intake = ProfileIntake(clock: world.clock)
            try await world.apply(
                intake,
                try (0..<3).map { try World.record("profile", profile($0, .female), version: 9) })
            if isMerged { try await world.round() }
            #expect(try await profiles(world) == [1, 1, 1, 0])
            try await world.settle(try await intake.beginSnapshot())
            try await world.settle(
                try await intake.apply(snapshot: [try World.entity("profile", profile(0, .male), version: 2)]))
            if isMerged { try await world.round() }
            try await world.settle(
                try await intake.apply(snapshot: [try World.entity("profile", profile(3, .male), version: 1)]))
            // Until its end, what was there is what questions are answered from.
            #expect(try await profiles(world) == [1, 1, 1, 0])
            try await world.settle(try await intake.endSnapshot())
            #expect(try await profiles(world) == [2, 0, 0, 2])
            // The versions go on from those of the snapshot.
            try await world.apply(intake, [try World.record("profile", profile(0, .female), version: 3)])
            try await world.round()
            #expect(try await profiles(world) == [1, 0, 0, 2])
        }
    }

    @Test("NFR-04: a snapshot that was broken off leaves nothing in the next")
    func brokenOff() async throws {
        try await World.with { world in
            let intake = ProfileIntake(clock: world.clock)
            try await world.settle(try await intake.beginSnapshot())
            try await world.settle(
                try await intake.apply(snapshot: [try World.entity("profile", profile(0, .male))]))
            try await world.snapshot(intake, [try World.entity("profile", profile(1, .female))])
            #expect(try await profiles(world) == [0, 1, 0, 0])
        }
    }
}
