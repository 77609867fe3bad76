import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service
import Synchronization
import Telemetry
import Testing

@testable import Dispatcher

@Suite struct HookProbesTests {
    private static let began = Deadline.now()

    private func at(_ seconds: Int64) -> Deadline { Self.began.advanced(by: .seconds(seconds)) }

    @Test(
        "SOS-13d: a hook is dead after a minute and three failures, the operator is told again every ten minutes")
    func health() {
        var health = HookHealth(at: at(0))
        #expect(health.failed(at: at(20)) == nil && health.failed(at: at(40)) == nil)
        #expect(!health.isDead)
        #expect(health.failed(at: at(60)) == .dead(.seconds(60)))
        #expect(health.isDead && health.failed(at: at(80)) == nil && health.failed(at: at(659)) == nil)
        #expect(health.failed(at: at(660)) == .dead(.seconds(660)))
        #expect(health.answered(at: at(1000)) == .alive(.seconds(1000)))
        #expect(!health.isDead && health.answered(at: at(1020)) == nil)
    }

    @Test("SOS-13d: one failure, or none for a long time, alarms nobody")
    func patience() {
        var health = HookHealth(at: at(0))
        #expect(health.answered(at: at(1)) == nil)
        // The process was stopped for an hour.
        #expect(health.failed(at: at(3600)) == nil && health.failed(at: at(3620)) == nil)
        #expect(health.answered(at: at(3640)) == nil && !health.isDead)
    }

    @Test("SOS-13c: hooks are probed, signed, over connections from each loop, with a message that is of nobody")
    func probed() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            south.desk.behave(.fail)
            await dispatcher.capabilities.probes.round()
            let loops = dispatcher.capabilities.caller.loops.count
            #expect(north.desk.probes.count >= loops && north.desk.probes.allSatisfy(\.isSigned))
            #expect(north.desk.calls.isEmpty)
            let probe = try #require(north.desk.probes.first)
            #expect(try probe.json["probe"]?["id"] == .string(probe.id))
            guard case .object(let members) = try probe.json else { return }
            #expect(members.members.map(\.key) == ["version", "probe"])
            #expect(dispatcher.capabilities.probes.alive == ["north": true])
        }
    }

    @Test("SOS-13c: a process that runs probes its hooks by itself, from its start on, several times a minute")
    func byItself() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let areProbed = try await dispatcher.wait { dispatcher.hooks.allSatisfy { !$0.desk.probes.isEmpty } }
            #expect(areProbed)
            #expect(HandOverTimes().probes.interval <= .seconds(20))
        }
    }

    @Test("SOS-13d: whoever is to be told of a dead hook is told, with the reason; and that it is back")
    func told() async throws {
        try await TestDispatcher.with(hooks: ["north"]) { dispatcher in
            let told = Mutex<[(HookHealth.Change, String?)]>([])
            let hooks = Hooks([dispatcher.hooks[0].hook])
            let probes = HookProbes(
                hooks, caller: dispatcher.capabilities.caller, baseURL: "https://trackme.example.org",
                clock: dispatcher.context.clock, log: dispatcher.context.log,
                metrics: dispatcher.capabilities.handOverMetrics,
                times: .init(silenceMax: .zero, failuresMin: 2, reminderInterval: .seconds(600))
            ) { hook, change, reason in told.withLock { $0.append((change, reason)) } }
            dispatcher.hooks[0].desk.behave(.fail)
            for _ in 0..<4 { await probes.round() }
            #expect(told.withLock { $0.count } == 1 && told.withLock { $0[0].1 } == "http-503")
            #expect(probes.alive == ["north": false])
            #expect(dispatcher.log.has("an ambulance service does not answer, and could not be called"))
            dispatcher.hooks[0].desk.behave(.accept)
            await probes.round()
            #expect(told.withLock { $0.count } == 2 && probes.alive == ["north": true])
            // One that is not to be probed is known no longer.
            var still = dispatcher.hooks[0].hook
            still.isProbed = false
            hooks.replace([still])
            await probes.round()
            #expect(probes.alive.isEmpty)
            hooks.replace([dispatcher.hooks[0].hook])
            await probes.round()
            #expect(probes.alive == ["north": true])
            // No longer in the file.
            hooks.replace([])
            await probes.round()
            #expect(probes.alive.isEmpty)
        }
    }
}
