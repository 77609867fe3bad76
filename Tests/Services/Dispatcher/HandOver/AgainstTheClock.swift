import Contracts
import Primitives
import RPC
import Reactor
import Service
import Testing

@testable import Dispatcher

/// How soon an ambulance service is called, in one process: one after the other, since each needs the machine for itself.
@Suite(.serialized) struct AgainstTheClock {
    private static let calledMax = Duration.milliseconds(500)

    @Test("SOS-05a: an ambulance service is called within half a second of the feed event that confirms an emergency")
    func fromTheFeed() async throws {
        try await Self.called { dispatcher, account in try await dispatcher.send(critical, of: account) }
    }

    @Test("SOS-05ad: so it is from samples that could not be stored")
    func fromWhatCouldNotBeStored() async throws {
        try await Self.called { dispatcher, account in
            let live = TestDispatcher.live([Double](repeating: 30, count: 6), of: account)
            _ = try await LocalCaller(router: dispatcher.assembled.rpc, as: "ingestion").call(
                Dispatcher.Provisional.self, .init(uploads: [.init(samples: live, ageMilliseconds: 0)]), deadline: nil)
        }
    }

    @Test("SOS-13c SOS-07: probes of a hook that hangs hold up no hand-over to another, nor to itself")
    func besideEmergency() async throws {
        try await TestDispatcher.with(hooks: ["north"]) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let desk = dispatcher.hooks[0].desk
            desk.behave(.hang)
            let loop = try #require(EventLoop.current)
            let probing = loop.task { await dispatcher.capabilities.probes.round() }
            #expect(try await dispatcher.wait { !desk.probes.isEmpty })
            let began = Deadline.now()
            try await dispatcher.send(critical, of: account)
            let call = try #require(await desk.firstCall())
            #expect(call.at.since(began) < Self.calledMax)
            probing.cancel()
            await probing.value
        }
    }

    private static func called(
        by send: @escaping @Sendable (TestDispatcher, UUID) async throws -> Void
    ) async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let began = Deadline.now()
            try await send(dispatcher, account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            #expect(call.at.since(began) < Self.calledMax)
        }
    }
}
