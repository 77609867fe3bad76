import Domain
import Primitives
import Testing

@testable import Dispatcher

/// Sensors that give a value every minute, quarter of an hour, or when somebody thinks of it.
@Suite struct SlowDeviceTests {
    private func measured(_ values: [Double], every period: Double, from begin: Double = 0) -> [Beat] {
        values.enumerated().map { (begin + Double($0.offset) * period, $0.element) }
    }

    // MARK: Cuff

    @Test(
        "SOS-02b SOS-04c: a cuff that measures every 15 or 30 minutes is believed when it repeats a critical pressure",
        arguments: [900.0, 1800])
    func cuff(_ period: Double) {
        var monitor = Monitor()
        let calm = measured([120, 125, 118], every: period)
        #expect(monitor.live(calm, type: .bloodPressureSystolic).dispatched.isEmpty)
        let first = monitor.live([(3 * period, 85)], type: .bloodPressureSystolic)
        #expect(first == [.alert])
        let second = monitor.live([(4 * period, 84)], type: .bloodPressureSystolic)
        #expect(second.dispatched.count == 1)
        #expect(second.dispatched.first?.firstCriticalAt == time(3 * period + 0.1))
    }

    @Test("SOS-04d: a single wrong pressure that the next measurement does not repeat is none")
    func wrongPressure() {
        var monitor = Monitor()
        let actions = monitor.live(
            measured([120, 85, 121, 119, 230, 122, 80, 118], every: 900), type: .bloodPressureSystolic)
        #expect(actions.dispatched.isEmpty && actions.reported.isEmpty)
    }

    @Test("SOS-04c: the alerted wearer measures again after a minute, and need not wait for the next turn")
    func repeated() {
        var monitor = Monitor()
        _ = monitor.live(measured([120, 120], every: 1800), type: .bloodPressureSystolic)
        #expect(monitor.live([(3600, 85), (3660, 84)], type: .bloodPressureSystolic).dispatched.count == 1)
        var first = Monitor()
        #expect(first.live([(0, 85), (60, 84)], type: .bloodPressureSystolic).dispatched.count == 1)
    }

    @Test("SOS-04d: two readings of one measurement are not a repetition")
    func sameMeasurement() {
        var monitor = Monitor()
        _ = monitor.live(measured([120, 120, 120], every: 900), type: .bloodPressureSystolic)
        #expect(monitor.live([(2700, 85), (2702, 85)], type: .bloodPressureSystolic).dispatched.isEmpty)
    }

    @Test("SOS-04c: pressures that lie too far apart are two stories")
    func farApart() {
        var monitor = Monitor()
        _ = monitor.live([(0, 120), (600, 120), (1200, 85), (9000, 84)], type: .bloodPressureSystolic)
        #expect(monitor.live([(9001, 120)], type: .bloodPressureSystolic).dispatched.isEmpty)
        #expect(monitor.episode == nil)
    }

    // MARK: Glucose

    @Test(
        "SOS-02c: glucose below 54 mg/dL for 15 minutes is an emergency at every sensor's pace",
        arguments: [60.0, 120, 300, 900])
    func glucose(_ period: Double) throws {
        var monitor = Monitor()
        _ = monitor.live(measured([95, 80, 70, 60], every: period), type: .glucose)
        let begin = 4 * period
        let low = stride(from: begin, through: begin + 1200, by: period).map { ($0, 50.0) }
        let finding = try #require(monitor.live(low, type: .glucose).dispatched.first)
        #expect(finding.limit == "< 54.0" && finding.concern == .ambulance)
        let lasted = finding.confirmedAt - finding.firstCriticalAt
        #expect(lasted >= .seconds(900) && lasted <= .seconds(900) + .milliseconds(Int64(period * 1000)))
    }

    @Test("SOS-02c: exactly 54 mg/dL is normal, and so is what is over within 15 minutes")
    func glucoseLimits() {
        var monitor = Monitor()
        #expect(monitor.live(measured([Double](repeating: 54, count: 20), every: 300), type: .glucose).isEmpty)
        var short = Monitor()
        let actions = short.live(measured([80, 50, 50, 50, 72, 80], every: 240), type: .glucose)
        #expect(actions.dispatched.isEmpty)
    }

    @Test("SOS-02c: glucose that recovers to 60 and falls again is the same emergency; above 70 it is over")
    func glucoseRecovery() {
        var monitor = Monitor()
        let low = [Double](repeating: 50, count: 5)
        #expect(monitor.live(measured([90] + low, every: 300), type: .glucose).dispatched.count == 1)
        #expect(monitor.live(measured([60, 62] + low, every: 300, from: 1800), type: .glucose).dispatched.isEmpty)
        let again = measured([75, 80, 85] + low, every: 300, from: 1800 + 7 * 300)
        #expect(monitor.live(again, type: .glucose).dispatched.count == 1)
    }

    @Test("SOS-02c: the glucose of a child is judged alike, and the fixed sets do not watch it")
    func glucoseSets() {
        var child = Monitor()
        let low = measured([Double](repeating: 45, count: 5), every: 300)
        #expect(child.live(low, of: .aged(8), type: .glucose).dispatched.count == 1)
        var fixed = Monitor()
        #expect(fixed.live(low, of: .aged(70, rules: .fixed40To130), type: .glucose).isEmpty)
    }

    // MARK: Stress

    @Test(
        "SOS-02c SOS-09c: stress beyond 95 for a quarter of an hour tells the contacts, calls no ambulance, and alerts no device"
    )
    func stress() {
        var monitor = Monitor()
        let actions = monitor.live(measured([Double](repeating: 97, count: 40), every: 30), type: .stressLevel)
        #expect(actions.dispatched.isEmpty)
        #expect(actions.toContacts.count == 1 && actions.toContacts.first?.type == .stressLevel)
        #expect(!actions.contains(.alert) && monitor.phase == .normal && monitor.episode == nil)
        var short = Monitor()
        let calm = measured([Double](repeating: 97, count: 20), every: 30) + [(601, 60)]
        #expect(short.live(calm, type: .stressLevel).isEmpty)
    }

    @Test("SOS-02c: stress is judged by its length also where it is told each second")
    func stressEachSecond() {
        var monitor = Monitor()
        let actions = monitor.live(measured([Double](repeating: 98, count: 1000), every: 1), type: .stressLevel)
        #expect(actions.toContacts.count == 1)
        #expect(actions.toContacts.first.map { $0.confirmedAt - $0.firstCriticalAt } == .seconds(900))
    }
}
