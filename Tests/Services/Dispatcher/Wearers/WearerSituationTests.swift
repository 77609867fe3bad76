import Contracts
import Primitives
import Testing

@testable import Dispatcher

/// What is told of a wearer, of what is known, alone.
@Suite struct WearerSituationTests {
    private let id = UUID(high: 5, low: 5)

    private func state(
        _ phase: MonitorPhase?, _ incident: Incident? = nil, isExercise: Bool = false, at second: Double = 1
    ) -> Dispatcher.WearerState {
        let open = incident.map {
            WearerSituation.Open(
                id: id, revision: 1, isExercise: isExercise, incident: $0, openedAt: Timestamp(microseconds: 0),
                age: age(second))
        }
        return WearerSituation(phase: phase, open: open).state
    }

    @Test("SOS-04ab: an alerted wearer is told so, one whose sensor is lost is not, nor who is not watched")
    func phases() {
        #expect(state(.normal) == .init(.calm) && state(.blind) == .init(.calm) && state(nil) == .init(.calm))
        #expect(state(.alerted) == .init(.alerted) && state(.confirmed) == .init(.confirmed))
        #expect(state(.alerted).isAlerted && !state(.normal).isAlerted)
    }

    @Test(
        "SOS-08d SOS-08e: with an abort window the wearer is told how long there is to call it off; without none there is no countdown"
    )
    func countdown() {
        let incident = Incident(abortWindow: .seconds(30))
        #expect(state(.confirmed, incident, at: 0).callsInMilliseconds == 30_000)
        let later = state(.confirmed, incident, at: 12.5)
        #expect(later == .init(.countdown, incident: id, callsInMilliseconds: 17_500))
        #expect(state(.confirmed, incident, at: 31).callsInMilliseconds == 0)
        #expect(state(.confirmed, Incident()).stage == .calling)
    }

    @Test(
        "SOS-13e: the wearer is told that somebody is being called, has received it, has accepted it, and that it is over"
    )
    func handOver() {
        var incident = Incident(abortWindow: .seconds(1))
        _ = incident.apply(.handOverBegun("a"), at: age(1))
        #expect(state(.confirmed, incident, at: 2) == .init(.calling, incident: id))
        _ = incident.apply(.received("a", number: 1), at: age(2))
        #expect(state(.normal, incident, at: 3) == .init(.handedOver, incident: id))
        _ = incident.apply(.accepted("a"), at: age(3))
        #expect(state(.alerted, incident, at: 4) == .init(.accepted, incident: id))
        _ = incident.apply(.rejected("a"), at: age(5))
        #expect(state(.normal, incident, at: 6).stage == .handedOver)
        _ = incident.apply(.calledOff, at: age(7))
        #expect(state(.normal, incident, at: 8).stage == .calm)
    }

    @Test("SOS-12b: a test call is told as one; an emergency that cannot be read as one for which somebody is called")
    func others() {
        #expect(state(.normal, Incident(isExercise: true), isExercise: true).isExercise)
        let unreadable = WearerSituation(
            phase: .normal,
            open: .init(
                id: id, revision: 1, isExercise: false, incident: nil, openedAt: Timestamp(microseconds: 0), age: .zero)
        )
        #expect(unreadable.state == .init(.calling, incident: id))
    }

    @Test(
        "SOS-12a SOS-08: a press of the button ends the abort window; a call-off on a device is one, and says so in the history"
    )
    func incidentEvents() {
        var incident = Incident(abortWindow: .seconds(60))
        #expect(incident.apply(.calledByHand, at: age(5)).verdict == .done)
        #expect(incident.callsFrom == age(5) && incident.emergencyAt == age(5))
        _ = incident.apply(.calledByHand, at: age(50))
        #expect(incident.callsFrom == age(5), "it ends once")
        let off = incident.apply(.calledOffByDevice, at: age(51))
        #expect(off.verdict == .done && incident.outcome == .suppressed)
        #expect(off.entries.first == .init(kind: .falseAlarm, hook: nil, detail: "device"))
        #expect(incident.apply(.calledOffByDevice, at: age(52)).verdict == .repeated)
        #expect(incident.apply(.calledByHand, at: age(53)).verdict == .closed)
    }
}
