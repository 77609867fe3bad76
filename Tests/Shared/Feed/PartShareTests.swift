@testable import Feed
import Primitives
import Testing

@Suite struct PartShareTests {
    private static let replicas = (1...5).map { UUID(high: 0, low: UInt64($0)) }

    @Test("Replicas come to have equal shares, whoever begins, comes or goes, and then nothing changes any more")
    func fair() {
        for count in [1, 2, 15, 16, 64] {
            var share = PartShare(holders: Array(repeating: nil, count: count), replicas: [])
            for present in [1, 2, 5, 3, 4, 1] {
                share.replicas = Set(Self.replicas.prefix(present))
                share.holders = share.holders.map { $0.flatMap { share.replicas.contains($0) ? $0 : nil } }
                var changes = 1
                var rounds = 0
                while changes > 0 {
                    changes = 0
                    for replica in share.replicas {
                        let (claims, releases) = share.changes(for: replica)
                        for part in releases {
                            #expect(share.holders[part] == replica)
                            share.holders[part] = nil
                        }
                        for part in claims {
                            #expect(share.holders[part] == nil)
                            share.holders[part] = replica
                        }
                        changes += claims.count + releases.count
                    }
                    rounds += 1
                    #expect(rounds < 5)
                    guard rounds < 5 else { return }
                }
                let held = share.replicas.map { share.parts(of: $0).count }
                #expect(held.reduce(0, +) == count && (held.max() ?? 0) - (held.min() ?? 0) <= 1)
            }
        }
    }

    @Test("Somebody who does not count as alive changes nothing")
    func stranger() {
        let share = PartShare(holders: [nil, nil], replicas: [Self.replicas[0]])
        let changes = share.changes(for: Self.replicas[1])
        #expect(changes.claims.isEmpty && changes.releases.isEmpty)
    }

    @Test("Each entity is in one part, and these are about equally large")
    func parts() {
        let entities = (0..<4096).map { _ in UUID.random() }
        for count in [1, 3, 16, 64] {
            let parts = (0..<count).map { FeedParts(count: count, numbers: [$0]) }
            let sizes = parts.map { part in entities.count { part.contains($0) } }
            #expect(sizes.reduce(0, +) == entities.count)
            #expect(sizes.allSatisfy { $0 > 4096 / count / 3 })
        }
        let some = FeedParts(count: 4, numbers: [2, 0])
        #expect(some.numbers == [0, 2] && some.others.numbers == [1, 3] && !some.isAll && FeedParts.all.isAll)
        for wrong in [
            FeedParts(count: 0, numbers: []), FeedParts(count: 2, numbers: []), FeedParts(count: 2, numbers: [2]),
            FeedParts(count: 2, numbers: [0, 0]), FeedParts(count: 65, numbers: [0]),
            FeedParts(count: 1, numbers: [-1]),
        ] {
            #expect(!wrong.isValid)
        }
    }
}
