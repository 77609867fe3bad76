import Reactor
import Testing

@testable import RPC

@Suite struct AddressBalancerTests {
    private let start = Deadline.now()
    private let backOff = BackOff(base: .milliseconds(100), max: .seconds(2))

    private func at(_ milliseconds: Int64) -> Deadline { start.advanced(by: .milliseconds(milliseconds)) }

    @Test("calls go round the addresses that work")
    func roundRobin() {
        var balancer = AddressBalancer(count: 3, backOff: backOff, first: 1)
        #expect((0..<6).map { _ in balancer.choose(at: start).call } == [1, 2, 0, 1, 2, 0])
    }

    @Test("one that failed rests, and then is tried without a call while another works")
    func probing() {
        var balancer = AddressBalancer(count: 2, backOff: backOff)
        balancer.failed(0, at: start, wasUseful: false, random: 1)
        #expect(balancer.choose(at: at(50)) == .init(call: 1, probes: []))
        balancer.connected(1)
        #expect(balancer.choose(at: at(100)) == .init(call: 1, probes: [0]))
        #expect(balancer.choose(at: at(101)) == .init(call: 1, probes: []))
        balancer.connected(0)
        #expect(Set((0..<2).map { _ in balancer.choose(at: at(102)).call }) == [0, 1])
    }

    @Test("one whose server refuses the client rests ten times longer at most than one that may be back any moment")
    func refusal() {
        var balancer = AddressBalancer(count: 1, backOff: BackOff(base: .milliseconds(100), max: .milliseconds(200)))
        for _ in 0..<8 { balancer.failed(0, at: start, wasUseful: false, random: 1) }
        #expect(balancer.choose(at: at(199)).call == nil)
        #expect(balancer.choose(at: at(200)).call == 0)
        balancer.failed(0, at: at(200), wasUseful: false, isRefused: true, random: 1)
        #expect(balancer.choose(at: at(2199)).call == nil)
        #expect(balancer.choose(at: at(2200)).call == 0)
    }

    @Test("one that is not connected yet gets calls only while none is, and is connected meanwhile")
    func connecting() {
        var balancer = AddressBalancer(count: 3, backOff: backOff)
        #expect(balancer.choose(at: start) == .init(call: 0, probes: []))
        #expect(balancer.choose(at: start) == .init(call: 1, probes: []))
        balancer.connected(0)
        #expect(balancer.choose(at: start) == .init(call: 0, probes: [2]))
        #expect(balancer.choose(at: start) == .init(call: 0, probes: []))
        balancer.connected(1)
        balancer.connected(2)
        #expect(Set((0..<3).map { _ in balancer.choose(at: start).call }) == [0, 1, 2])
        balancer.closed(1)
        #expect(balancer.choose(at: start).probes == [1])
        balancer.opening(2)
        #expect((0..<3).allSatisfy { _ in balancer.choose(at: start).call == 0 })
    }

    @Test("with none working, nothing is tried before its rest is over, and then calls wait for the trial")
    func allFailed() {
        var balancer = AddressBalancer(count: 1, backOff: backOff)
        balancer.failed(0, at: start, wasUseful: false, random: 1)
        #expect(balancer.choose(at: at(99)).call == nil)
        #expect(balancer.choose(at: at(100)).call == 0)
        #expect(balancer.choose(at: at(101)).call == 0)
    }

    @Test("rests grow with each failure in a row, to the most; a useful connection starts afresh")
    func growth() {
        var balancer = AddressBalancer(count: 1, backOff: backOff)
        for rest: Int64 in [100, 200, 400, 800, 1600, 2000, 2000] {
            balancer.failed(0, at: start, wasUseful: false, random: 1)
            #expect(balancer.choose(at: at(rest - 1)).call == nil)
            #expect(balancer.choose(at: at(rest)).call == 0)
        }
        balancer.connected(0)
        balancer.failed(0, at: start, wasUseful: true, random: 1)
        #expect(balancer.choose(at: at(100)).call == 0)
    }

    @Test("jitter spreads rests over the upper half")
    func jitter() {
        #expect(backOff.delay(afterFailures: 2, random: 0) == .milliseconds(100))
        #expect(backOff.delay(afterFailures: 2, random: 1) == .milliseconds(200))
        #expect(backOff.delay(afterFailures: .max, random: 1) == .seconds(2))
    }
}
