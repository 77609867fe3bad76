import Glibc
import Primitives
import Reactor
import Testing

@testable import Dispatcher

/// The dispatcher in a simulated world (`README.md`). `deploy/bench sos-world` lives thousands of them.
@Suite struct WorldTests {
    /// So many in a debug build take some seconds; `TRACKME_WORLDS` sets another number.
    private static let share = getenv("TRACKME_WORLDS").flatMap { UInt64(String(cString: $0)) } ?? 12

    private struct Lived: Sendable {
        var wrongs: [String] = []
        var story: [String] = []
        var emergencies = 0
    }

    /// On a thread of its own, which a simulation needs.
    private func live(
        _ seed: UInt64, _ mutant: WorldMutant? = nil, isTelling: Bool = false
    ) async throws -> Lived {
        try await BlockingPool.shared.run {
            Result {
                let world = try World(seed: seed, mutant: mutant, isTelling: isTelling)
                let wrongs = world.live()
                return Lived(wrongs: wrongs, story: world.story, emergencies: world.watch.emergencies.count)
            }
        }.get()
    }

    @Test(
        "SOS-05a SOS-05d SOS-07a SOS-07c SOS-08b SOS-08c: whatever goes wrong around an emergency, it is one incident, handed over in time, accepted once"
    )
    func fixedShare() async throws {
        var emergencies = 0
        for seed in 1...Self.share {
            let lived = try await live(seed)
            emergencies += lived.emergencies
            guard !lived.wrongs.isEmpty else { continue }
            let story = try await live(seed, isTelling: true).story
            Issue.record("seed \(seed): \(lived.wrongs)\n\(story.joined(separator: "\n"))")
        }
        #expect(emergencies >= Self.share)
    }

    @Test("SOS-07: a seed is the same story each time it is lived")
    func repeatable() async throws {
        let seed: UInt64 = 5
        let first = try await live(seed, isTelling: true)
        #expect(first.story.count > 20)
        #expect(try await live(seed, isTelling: true).story == first.story)
    }

    @Test("A world that is over leaves nothing behind, so that thousands can be lived one after the other")
    func gone() async throws {
        let isGone = try await BlockingPool.shared.run {
            Result {
                weak var left: World?
                do {
                    let world = try World(seed: 2)
                    _ = world.live()
                    left = world
                }
                return left == nil
            }
        }.get()
        #expect(isGone)
    }

    @Test(
        "SOS-05 SOS-07 SOS-13: the world notices each of six mistakes within a few seeds, none of which is wrong without it",
        arguments: WorldMutant.allCases)
    func mutants(_ mutant: WorldMutant) async throws {
        for seed in Self.seeds(of: mutant) {
            guard try await !live(seed, mutant).wrongs.isEmpty else { continue }
            #expect(try await live(seed).wrongs == [])
            return
        }
        Issue.record("\(mutant.rawValue) was not noticed")
    }

    /// From one that shows it, as long as the steps of worlds stay the same.
    private static func seeds(of mutant: WorldMutant) -> Range<UInt64> {
        let first: UInt64 =
            switch mutant {
            case .ageWithoutLag: 3
            case .leaseCheckedLate: 6
            case .journalReplayedTwice: 10
            case .cancellationBeforeAlert: 2
            case .noHysteresis: 2
            case .twoCouriers: 5
            }
        return first..<first + 60
    }
}
