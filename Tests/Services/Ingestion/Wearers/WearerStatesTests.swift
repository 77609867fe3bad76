import Contracts
import Feed
import JSON
import Primitives
import Reactor
import Telemetry
import Testing

@testable import Ingestion

/// What is known of wearers in memory.
@Suite struct WearerStatesTests {
    private typealias State = Dispatcher.WearerState
    private let account = UUID(high: 1, low: 1)
    private let now = Deadline.now()

    private func states(heardAgo: Duration? = .zero) -> WearerStates {
        WearerStates(log: Observer.silent.log) { heardAgo }
    }

    private func entity(_ state: State, version: Int64 = 1, of account: UUID? = nil) throws -> FeedEntity {
        FeedEntity(
            entity: account ?? self.account, version: version, kind: Dispatcher.wearersKind,
            payload: try JSONRaw(encoding: state))
    }

    private func record(
        _ state: some Encodable, version: Int64, of account: UUID? = nil, age: Duration = .zero
    ) throws -> FeedRecord {
        FeedRecord(
            lane: 0, position: version, entity: account ?? self.account, version: version,
            kind: Dispatcher.wearersKind, payload: try JSONRaw(encoding: state), recordedAt: .now(), age: age)
    }

    @Test(
        "SOS-04ab SOS-13e: a snapshot and the changes after it are known; what comes late and is older changes nothing")
    func following() throws {
        let (states, other) = (states(), UUID(high: 2, low: 2))
        states.apply(.snapshotBegan)
        states.apply(.entities([try entity(State(.alerted), version: 3)]))
        #expect(states.knowledge(of: account) == .calm, "not complete yet")
        states.apply(.snapshotEnded)
        #expect(states.knowledge(of: account) == .told(State(.alerted)))
        #expect(states.knowledge(of: other) == .calm)
        states.apply(
            .changes([try record(State(.calling), version: 4), try record(State(.alerted), version: 1, of: other)]))
        #expect(states.knowledge(of: account) == .told(State(.calling)))
        #expect(states.knowledge(of: other) == .told(State(.alerted)))
        states.apply(.changes([try record(State(.calm), version: 6), try record(State(.accepted), version: 5)]))
        #expect(states.knowledge(of: account) == .calm)
        // A new snapshot replaces everything, whatever its versions.
        states.apply(.snapshotBegan)
        states.apply(.entities([try entity(State(.handedOver), version: 1)]))
        states.apply(.snapshotEnded)
        #expect(states.knowledge(of: account) == .told(State(.handedOver)) && states.knowledge(of: other) == .calm)
    }

    @Test("SOS-04a: while the dispatcher is not heard nothing is known, and a device goes on measuring as in an alarm")
    func silence() throws {
        for age in [nil, WearerStates.silenceMax + .milliseconds(1)] {
            let states = states(heardAgo: age)
            states.apply(.changes([try record(State(.alerted), version: 1)]))
            #expect(states.knowledge(of: account) == .unknown)
        }
        #expect(WearerStates(from: nil, observer: .silent).knowledge(of: account) == .unknown)
        #expect(WearerStates(from: nil, observer: .silent).task == nil)
        typealias Sampling = UploadAnswer.Sampling
        #expect(
            Sampling(isWatched: true, .unknown) == .threePerSecond && Sampling(isWatched: false, .unknown) == .normal)
        #expect(Sampling(isWatched: true, .calm) == .atOnce && Sampling(isWatched: false, .calm) == .normal)
        // Also of who has pressed the button during a pause.
        #expect(Sampling(isWatched: false, .told(State(.calling))) == .threePerSecond)
        #expect(WearerAnswer(.unknown) == nil && WearerAnswer(.calm) == nil)
    }

    @Test("SOS-08d: the time until the call is counted from the record, by no device's clock, and never below nothing")
    func countdown() throws {
        let states = states()
        let told = State(.countdown, incident: account, callsInMilliseconds: 30_000, arrivesInMilliseconds: 600_000)
        states.apply(.changes([try record(told, version: 1, age: .seconds(12))]))
        guard case .told(let known) = states.knowledge(of: account) else {
            Issue.record("nothing is known")
            return
        }
        let left = try #require(known.callsInMilliseconds)
        #expect((17_000...18_000).contains(left))
        let answer = try #require(WearerAnswer(.told(known)))
        #expect(answer.state == .countdown && answer.incident == account && answer.callInS == (left + 999) / 1000)
        #expect((580...588).contains(answer.arrivalInS ?? 0))
        states.apply(.changes([try record(told, version: 2, age: .seconds(3600))]))
        guard case .told(let over) = states.knowledge(of: account) else {
            Issue.record("nothing is known")
            return
        }
        #expect(over.callsInMilliseconds == 0 && WearerAnswer(.told(over))?.arrivalInS == 0)
    }

    @Test("SOS-04a: what cannot be read concerns one person; more people than fit are not taken for well")
    func bounds() throws {
        let (states, other) = (states(), UUID(high: 2, low: 2))
        states.apply(
            .changes([try record("nonsense", version: 1), try record(State(.alerted), version: 1, of: other)]))
        #expect(states.knowledge(of: account) == .calm && states.knowledge(of: other) == .told(State(.alerted)))

        let crowded = self.states()
        let payload = try JSONRaw(encoding: State(.alerted))
        crowded.apply(.snapshotBegan)
        for page in 0..<11 {
            crowded.apply(
                .entities(
                    (0..<10_000).map { number in
                        FeedEntity(
                            entity: UUID(high: UInt64(page + 10), low: UInt64(number)), version: 1,
                            kind: Dispatcher.wearersKind, payload: payload)
                    }))
        }
        crowded.apply(.snapshotEnded)
        #expect(crowded.knowledge(of: account) == .unknown)
        crowded.apply(.changes([try record(State(.alerted), version: 1)]))
        #expect(crowded.knowledge(of: account) == .unknown)
        #expect(crowded.knowledge(of: UUID(high: 10, low: 0)) == .told(State(.alerted)))
    }
}
