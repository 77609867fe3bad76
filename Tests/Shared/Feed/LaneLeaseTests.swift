@testable import Feed
import Testing

@Suite struct LaneLeaseTests {
    @Test("Positions grow within an acquisition, and every later acquisition begins above it")
    func grows() {
        var first = LaneLease(lane: 3, acquisition: 1)
        let (one, two, three) = (first.take(1), first.take(5), first.take(1))
        #expect(one == Int64((1 << 24) + 1))
        #expect(two == Int64((1 << 24) + 2))
        #expect(three == Int64((1 << 24) + 7))
        var second = LaneLease(lane: 3, acquisition: 2)
        let next = second.take(1)
        #expect(next == Int64((2 << 24) + 1))
    }

    @Test("An acquisition that is used up gives nothing more, and never another's positions")
    func ends() {
        var lease = LaneLease(lane: 0, acquisition: 7)
        let all = lease.take(Int(LaneLease.positionsPerAcquisition) - 1)
        #expect(all == Int64((7 << 24) + 1))
        let more = lease.take(1)
        #expect(more == nil)
        let nothing = lease.take(0)
        #expect(nothing == Int64(8 << 24))
    }
}
