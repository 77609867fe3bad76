import Domain
import Primitives
import Testing

@testable import Dispatcher

/// `fixed-45-120`: a systolic pressure above 170 counts together with a diastolic one above 100, however they are uploaded.
@Suite struct PressurePairTests {
    private let wearer = Wearer.aged(50, rules: .fixed45To120)

    /// One reading alone in its upload.
    private func send(_ type: DataType, _ value: Double, at second: Double, _ monitor: inout Monitor) -> [MonitorAction]
    {
        monitor.observe(upload([(second, value)], type: type), of: wearer)
    }

    @Test(
        "SOS-03: pressures that are uploaded one after the other are paired within 60 s, in either order",
        arguments: [true, false])
    func separate(_ isSystolicFirst: Bool) {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for begin in [0.0, 120] {
            let systolic = isSystolicFirst ? begin : begin + 30
            let diastolic = isSystolicFirst ? begin + 30 : begin
            let readings: [(DataType, Double, Double)] = [
                (.bloodPressureSystolic, 185, systolic), (.bloodPressureDiastolic, 108, diastolic),
            ]
            for (type, value, second) in readings.sorted(by: { $0.2 < $1.2 }) {
                actions += send(type, value, at: second, &monitor)
            }
        }
        #expect(actions.dispatched.count == 1)
        #expect(actions.dispatched.first?.type == .bloodPressureSystolic)
        #expect(actions.dispatched.first?.value == 185 && actions.dispatched.first?.limit == "> 170.0")
    }

    @Test("SOS-03: a systolic pressure without a diastolic one within 60 s, or with a normal one, is no emergency")
    func alone() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for begin in stride(from: 0.0, through: 1200, by: 120) {
            actions += send(.bloodPressureSystolic, 190, at: begin, &monitor)
            actions += send(.bloodPressureDiastolic, 90, at: begin + 20, &monitor)
        }
        for begin in stride(from: 2000.0, through: 3200, by: 200) {
            actions += send(.bloodPressureSystolic, 190, at: begin, &monitor)
            actions += send(.bloodPressureDiastolic, 120, at: begin + 100, &monitor)
        }
        #expect(actions.dispatched.isEmpty)
        #expect(monitor.pressures.waiting.count <= 4)
    }

    @Test("SOS-03: the diastolic pressure of the measurement before does not decide when its own comes")
    func nearest() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for begin in [0.0, 50, 100] {
            actions += send(.bloodPressureSystolic, 190, at: begin, &monitor)
            actions += send(.bloodPressureDiastolic, begin == 0 ? 90 : 110, at: begin + 2, &monitor)
        }
        #expect(actions.dispatched.count == 1)
        #expect(actions.dispatched.first?.firstCriticalAt == time(50.1))
    }

    @Test("SOS-03 SOS-07: what waits for its other half survives storage")
    func storage() throws {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for begin in [0.0, 120] {
            actions += send(.bloodPressureSystolic, 190, at: begin, &monitor)
            monitor = try stored(monitor)
            actions += send(.bloodPressureDiastolic, 110, at: begin + 40, &monitor)
        }
        #expect(actions.dispatched.count == 1)
    }
}
