import Contracts
import Domain
import Primitives
import Testing

@testable import Dispatcher

/// Sleepers, athletes, and people with limits of their own.
@Suite struct CircumstanceTests {
    private func asleep(_ range: ClosedRange<Double>) -> Observation {
        var seen = upload([], sent: range.upperBound)
        seen.sleep = [time(range.lowerBound)...time(range.upperBound)]
        return seen
    }

    // MARK: Sleep

    @Test("SOS-03a: a slow heart is normal in sleep, and for minutes after it; awake it is not")
    func sleeper() {
        var monitor = Monitor()
        _ = monitor.observe(asleep(0...60), of: .aged(30))
        #expect(monitor.live(beats(35, from: 61, through: 600), of: .aged(30)).isEmpty)
        #expect(monitor.live(beats(35, from: 661, through: 700), of: .aged(30)).dispatched.count == 1)
        var awake = Monitor()
        #expect(awake.live(beats(35, from: 0, through: 10), of: .aged(30)).dispatched.count == 1)
    }

    @Test(
        "SOS-03a: there is a limit in sleep, too, and it is higher for the elderly; children and the fixed sets have their own",
        arguments: [
            (Wearer.aged(30), 31.0, true), (.aged(30), 30, false), (.aged(70), 34, true), (.aged(70), 33, false),
            (.aged(13), 39, false), (.aged(30, rules: .fixed40To130), 38, false),
        ])
    func sleepLimits(_ wearer: Wearer, _ rate: Double, isNormal: Bool) {
        var monitor = Monitor()
        _ = monitor.observe(asleep(0...60), of: wearer)
        #expect(monitor.live(beats(rate, from: 61, through: 70), of: wearer).dispatched.isEmpty == isNormal)
    }

    @Test("SOS-03a: sleep changes no other limit")
    func saturationInSleep() {
        var monitor = Monitor()
        _ = monitor.observe(asleep(0...60), of: .aged(70))
        #expect(monitor.live(beats(88, from: 61, through: 70), type: .oxygenSaturation).dispatched.count == 1)
    }

    /// At an hour of the night of the first of May, with a zone of the device.
    private func night(_ monitor: inout Monitor, still: Bool, hour: Double) -> [MonitorAction] {
        // `start` is 8:00 in UTC.
        let begin = (hour - 10 + 24) * 3600
        var actions: [MonitorAction] = []
        for second in stride(from: begin, through: begin + 1800, by: 30) {
            let usual = Double(50 + Int(second / 30) % 2)
            var seen = upload([(second, second > begin + 1200 ? 37 : usual)])
            seen.zoneMinutes = 120
            if still { seen.still = [time(second)] }
            actions += monitor.observe(seen, of: .aged(30))
        }
        return actions
    }

    @Test(
        "SOS-03a: without a device that tells of sleep, who lies still at night counts as asleep; by day, or moving, nobody does"
    )
    func byNight() {
        var monitor = Monitor()
        #expect(night(&monitor, still: true, hour: 27).dispatched.isEmpty)
        for (still, hour) in [(false, 27.0), (true, 15)] {
            var other = Monitor()
            #expect(night(&other, still: still, hour: hour).dispatched.count == 1)
        }
    }

    @Test("SOS-03a: a device that tells of sleep, and says nothing of it now, is believed")
    func awakeAtNight() {
        var monitor = Monitor()
        var seen = upload([], sent: 60)
        seen.sleep = [time(0)...time(60)]
        _ = monitor.observe(seen, of: .aged(30))
        #expect(night(&monitor, still: true, hour: 3).dispatched.count == 1)
    }

    @Test("SOS-03a: sleep is read from uploads as intervals, up to their sending")
    func reading() throws {
        let at = time(3600)
        let live = Ingestion.LiveSamples(
            accountID: watch, deviceID: watch, receivedAt: at, sentAt: at,
            series: [
                SampleSeries(type: .sleep, start: time(0), offsets: [0], durations: [7_200_000], values: [110]),
                SampleSeries(type: .motion, start: at, offsets: [0], values: [0.1]),
            ])
        let seen = try #require(Observation(live, now: at, heldFor: .zero))
        #expect(seen.sleep == [time(0)...at] && seen.still == [at] && seen.unrest.isEmpty)
    }

    // MARK: Uploads that tell of several

    @Test("SOS-03a SOS-05d: an upload of an hour that was run, rested and run again has the limits of each")
    func runTwice() {
        var monitor = Monitor()
        var seen = upload(beats(150, from: 0, through: 60) + beats(80, from: 300, through: 360), sent: 660)
        seen.vitals += upload(beats(150, from: 600, through: 660)).vitals
        seen.exercise = [time(0), time(60), time(600), time(660)]
        #expect(monitor.observe(seen, of: .aged(30)).isEmpty)
        var rested = seen
        rested.exercise = [time(0), time(660)]
        var other = Monitor()
        #expect(!other.observe(rested, of: .aged(30)).isEmpty)
    }

    @Test("SOS-03a SOS-05d: a night that is uploaded in the morning, with a while awake in it, has a sleeper's limit")
    func wholeNight() {
        var monitor = Monitor()
        var seen = upload(beats(37, from: 0, through: 600, every: 30), sent: 8000)
        seen.vitals += upload(beats(60, from: 1800, through: 2600, every: 30)).vitals
        seen.vitals += upload(beats(37, from: 7200, through: 8000, every: 30)).vitals
        seen.sleep = [time(7000)...time(8000), time(0)...time(600)]
        let actions = monitor.observe(seen, of: .aged(30))
        #expect(actions.dispatched.isEmpty && actions.reported.isEmpty)
    }

    // MARK: Personal limits

    private func wearer(_ thresholds: PersonalThresholds, rules: RuleSet = .age) -> Wearer {
        var wearer = Wearer.aged(70, rules: rules)
        wearer.thresholds = thresholds
        return wearer
    }

    private let doctor = PersonalThresholds.Doctor(name: "Dr. Anna Verdi", register: "MI 12345")

    @Test("SOS-03b: an athlete's own limit holds in place of the set's, end by end; the other end stays")
    func athlete() {
        let athlete = wearer(.init(heartRate: .init(low: 34), doctor: doctor))
        var monitor = Monitor()
        #expect(monitor.live(beats(36, from: 0, through: 20), of: athlete).isEmpty)
        #expect(monitor.live(beats(34, from: 21, through: 30), of: athlete).dispatched.count == 1)
        var fast = Monitor()
        let finding = fast.live(beats(140, from: 0, through: 5), of: athlete).dispatched.first
        #expect(finding?.limit == ">= 131.0")
    }

    @Test("SOS-03c: a finding keeps the limits that held, and names the doctor who set them")
    func kept() throws {
        var monitor = Monitor()
        let own = wearer(.init(heartRate: .init(low: 45), doctor: doctor))
        let finding = try #require(monitor.live(beats(44, from: 0, through: 5), of: own).dispatched.first)
        #expect(finding.thresholds == .init(low: 45, high: 131, setBy: .doctor, doctor: "Dr. Anna Verdi"))
        var usual = Monitor()
        let common = try #require(usual.live(beats(38, from: 0, through: 5)).dispatched.first)
        #expect(common.thresholds == .init(low: 40, high: 131, setBy: .rules, doctor: nil))
    }

    @Test(
        "SOS-03b: exercise raises a personal limit as it raises the common one; a doctor's lower limit holds in sleep")
    func circumstances() {
        let own = wearer(.init(heartRate: .init(low: 45, high: 115), doctor: doctor))
        var monitor = Monitor()
        var running = upload(beats(150, from: 0, through: 30))
        running.exercise = [time(0), time(30)]
        #expect(monitor.observe(running, of: own).isEmpty)
        var sleeper = Monitor()
        _ = sleeper.observe(asleep(0...60), of: own)
        #expect(sleeper.live(beats(44, from: 61, through: 70), of: own).dispatched.count == 1)
    }

    @Test(
        "SOS-03b: on NEWS2's second scale 84 to 96% are normal, and what is above only on oxygen critical",
        arguments: [
            (84.0, false, false), (83, false, true), (88, false, false), (99, false, false), (99, true, true),
            (97, true, true), (96, true, false), (83, true, true),
        ])
    func secondScale(_ value: Double, _ isOnOxygen: Bool, isCritical: Bool) {
        let patient = wearer(.init(saturationScale: 2, isOnOxygen: isOnOxygen, doctor: doctor))
        var monitor = Monitor()
        let found = monitor.live(beats(value, from: 0, through: 5), of: patient, type: .oxygenSaturation)
        #expect(found.dispatched.isEmpty == !isCritical)
    }

    @Test("SOS-03b: personal limits watch what a fixed set does not")
    func beyondSet() {
        let own = wearer(.init(oxygenSaturation: .init(low: 90), doctor: doctor), rules: .fixed40To130)
        var monitor = Monitor()
        #expect(
            monitor.live(beats(89, from: 0, through: 5), of: own, type: .oxygenSaturation).dispatched.count == 1)
    }
}
