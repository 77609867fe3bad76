import Domain
import Primitives
import Testing

@testable import Dispatcher

@Suite struct MonitorTests {
    @Test("SOS-04c SOS-05d: 3 s of critical values are an emergency, once")
    func lasting() {
        var monitor = Monitor()
        #expect(monitor.live(beats(70, from: 0, through: 10)).isEmpty)
        let actions = monitor.live(beats(38, from: 11, through: 40))
        #expect(actions.first == .alert)
        let findings = actions.dispatched
        #expect(findings.count == 1)
        #expect(findings.first?.firstCriticalAt == time(11.1))
        #expect(findings.first?.confirmedAt == time(14.1))
        #expect(findings.first?.limit == "<= 40.0")
        #expect(findings.first?.isDelayed == false)
        #expect(monitor.phase == .confirmed)
    }

    @Test(
        "SOS-02ab: every vital sign is watched alike: a critical value that lasts is an emergency",
        arguments: [
            (DataType.heartRate, 38.0), (.bloodPressureSystolic, 85), (.oxygenSaturation, 88), (.respirationRate, 6),
            (.bodyTemperature, 34),
        ])
    func vitalSigns(_ type: DataType, _ value: Double) {
        var monitor = Monitor()
        let findings = monitor.live(beats(value, from: 0, through: 10), type: type).dispatched
        #expect(findings.count == 1 && findings.first?.origin.type == type)
        var well = Monitor()
        let normal: [DataType: Double] = [
            .heartRate: 70, .bloodPressureSystolic: 120, .oxygenSaturation: 98, .respirationRate: 15,
            .bodyTemperature: 36.8,
        ]
        #expect(well.live(beats(normal[type] ?? 0, from: 0, through: 10), type: type).dispatched.isEmpty)
    }

    @Test("SOS-04a: the first critical value alerts, a normal one calms")
    func alert() {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 3))
        #expect(monitor.live([(4, 35)]) == [.alert])
        #expect(monitor.phase == .alerted)
        #expect(monitor.live([(5, 70)]) == [.calm])
        #expect(monitor.phase == .normal)
    }

    @Test("SOS-04d: a single wrong reading causes nothing, however often", arguments: [1.0, 1.0 / 3, 0.2])
    func single(_ period: Double) {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for index in 0..<600 {
            actions += monitor.live([(Double(index) * period, index.isMultiple(of: 7) ? 250 : 70)])
        }
        #expect(actions.dispatched.isEmpty && actions.reported.isEmpty)
    }

    @Test("SOS-04c: two values, or three within less than 3 s, are not enough")
    func short() {
        var monitor = Monitor()
        #expect(monitor.live([(0, 38), (1, 38), (2, 38), (2.9, 38)]).dispatched.isEmpty)
        #expect(monitor.live([(3, 38)]).dispatched.count == 1)
        var other = Monitor()
        #expect(other.live([(0, 38), (1.9, 38), (3, 70), (4, 38), (5, 38)]).dispatched.isEmpty)
    }

    @Test("SOS-04c: a gap of more than 2 s, or twice the sampling period, begins anew")
    func gap() {
        var monitor = Monitor()
        #expect(monitor.live([(0, 38), (1, 38), (3.1, 38), (4, 38)]).dispatched.isEmpty)
        #expect(monitor.live([(5, 38), (6, 38), (7, 38)]).dispatched.count == 1)
        var slow = Monitor()
        _ = slow.live(beats(120, from: 0, through: 600, every: 60), type: .bloodPressureSystolic)
        let actions = slow.live(beats(80, from: 660, through: 780, every: 60), type: .bloodPressureSystolic)
        #expect(actions.dispatched.count == 1)
    }

    @Test("SOS-04: sources and parameters do not add up")
    func separate() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<20 {
            let low = second.isMultiple(of: 2)
            actions += monitor.observe(upload([(Double(second), low ? 38 : 70)], source: watch), of: .aged(70))
            actions += monitor.observe(upload([(Double(second) + 0.5, low ? 70 : 38)], source: phone), of: .aged(70))
        }
        #expect(actions.dispatched.isEmpty)
    }

    @Test("SOS-04: what is sent twice counts once")
    func duplicates() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for _ in 0..<5 { actions += monitor.observe(upload([(0, 38), (1.9, 38)], sent: 3), of: .aged(70)) }
        #expect(actions.dispatched.isEmpty)
        actions += monitor.observe(upload([(3, 38)]), of: .aged(70))
        for _ in 0..<5 { actions += monitor.observe(upload([(0, 38), (1.9, 38), (3, 38)]), of: .aged(70)) }
        #expect(actions.dispatched.count == 1)
    }

    @Test("SOS-04: a normal value that comes late between critical ones counts")
    func lateNormal() {
        var monitor = Monitor()
        _ = monitor.live([(0, 38), (1, 38)])
        _ = monitor.observe(upload([(1.5, 70)], sent: 1.9), of: .aged(70))
        #expect(monitor.live([(2, 38), (3, 38), (4, 38)]).dispatched.isEmpty)
        #expect(monitor.live([(5, 38)]).dispatched.count == 1)
    }

    @Test("SOS-05d: samples older than 10 s do not dispatch by themselves; a backlog that ends critical does, marked")
    func backlog() {
        var recovered = Monitor()
        let ended = beats(38, from: 0, through: 20) + beats(70, from: 21, through: 30)
        let actions = recovered.observe(upload(ended, sent: 60), of: .aged(70))
        #expect(actions.dispatched.isEmpty && actions.reported.count == 1)

        var critical = Monitor()
        let delayed = critical.observe(upload(beats(38, from: 0, through: 20), sent: 320), of: .aged(70))
        #expect(delayed.dispatched.map(\.isDelayed) == [true])

        var old = Monitor()
        let late = old.observe(upload(beats(38, from: 0, through: 20), sent: 321), of: .aged(70))
        #expect(late.dispatched.isEmpty && late.reported.count == 1)
        let goesOn = old.observe(upload(beats(38, from: 21, through: 340), sent: 340), of: .aged(70))
        #expect(goesOn.dispatched.map(\.isDelayed) == [false])
    }

    // MARK: Read late

    @Test("SOS-05d: the time since ingestion received them makes samples old: after two hours they call nobody")
    func replayAfterHours() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<600 {
            actions += monitor.observe(
                upload([(Double(second), second < 300 ? 38 : 70)], held: 7200 - Double(second)), of: .aged(70))
        }
        #expect(actions.dispatched.isEmpty && actions.reported.count == 1 && !actions.isBlind)
        #expect(actions.reported.first?.isDelayed == true && monitor.judgeBy == nil)
        #expect(monitor.phase == .normal)
    }

    @Test("SOS-05: a backlog of 3 minutes that ends critical dispatches, delayed, once all that came after it was read")
    func replayAfterMinutes() {
        var monitor = Monitor()
        let actions = (0..<10).flatMap {
            monitor.observe(upload([(Double($0), 38)], held: 180 - Double($0)), of: .aged(70))
        }
        #expect(actions.dispatched.isEmpty && actions.reported.isEmpty)
        #expect(monitor.judgeBy.map { $0 <= time(180.1) + Monitor.backlogWait } == true)
        let late = monitor.judgeBacklog(now: time(181), of: .aged(70))
        #expect(late.dispatched.map(\.isDelayed) == [true])
        #expect(late.dispatched.first?.firstCriticalAt == time(0.1))
        #expect(monitor.judgeBacklog(now: time(182), of: .aged(70)).isEmpty && monitor.judgeBy == nil)
    }

    @Test(
        "SOS-05: a critical state that ended in what was read after it calls nobody; contacts and operator hear of it")
    func replayOfWhatEnded() throws {
        var monitor = Monitor()
        for second in 0..<10 {
            #expect(
                monitor.observe(upload([(Double(second), 38)], held: 180 - Double(second)), of: .aged(70))
                    .dispatched.isEmpty)
        }
        monitor = try stored(monitor)
        var actions: [MonitorAction] = []
        for second in 10..<40 {
            actions += monitor.observe(upload([(Double(second), 70)], held: 180 - Double(second)), of: .aged(70))
        }
        actions += monitor.judgeBacklog(now: time(181), of: .aged(70))
        #expect(actions.dispatched.isEmpty && actions.reported.count == 1)
        #expect(actions.reported.first?.limit == "<= 40.0")
    }

    @Test("SOS-05: a critical state that goes on while a backlog is read dispatches as soon as its samples are fresh")
    func replayUpToNow() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        // Ten seconds' samples are read in each second.
        for second in 0..<300 {
            actions += monitor.observe(
                upload([(Double(second), 38)], held: max(0, 280 - Double(second))), of: .aged(70))
        }
        #expect(actions.dispatched.map(\.isDelayed) == [false])
        #expect(actions.reported.isEmpty)
    }

    @Test("SOS-05: what waits for the rest of a backlog is judged before it is too old")
    func judgedInTime() {
        var monitor = Monitor()
        _ = monitor.observe(upload(beats(38, from: 0, through: 5), held: 290), of: .aged(70))
        let latest = monitor.judgeBy ?? time(1000)
        #expect(latest < time(5) + Monitor.backlogMax)
        #expect(monitor.judgeBacklog(now: latest + .seconds(2), of: .aged(70)).dispatched.count == 1)
    }

    @Test("SOS-11: a lost sensor of hours ago says nothing of now")
    func lostLongAgo() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<60 {
            actions += monitor.observe(upload([(Double(second), 0)], held: 7200 - Double(second)), of: .aged(70))
        }
        #expect(actions.isEmpty)
        actions += monitor.live(beats(0, from: 7200, through: 7205))
        #expect(actions == [.blind(since: time(7200.1))])
    }

    // MARK: Runs

    @Test("SOS-03: who takes part in a run exercises, whatever the watch says; before it and some time after it not")
    func run() {
        var runner = Wearer.aged(40)
        runner.runs = [time(0)...time(3600)]
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in stride(from: 0.0, through: 3700, by: 1) {
            let more = Double(Int(second) % 3)
            actions += monitor.observe(upload([(second, 165 + more)]), of: runner)
            actions += monitor.observe(upload([(second, 45 + more)], type: .respirationRate), of: runner)
        }
        #expect(actions.isEmpty)
        for second in stride(from: 3701.0, through: 3760, by: 1) {
            actions += monitor.observe(upload([(second, 165)]), of: runner)
        }
        #expect(actions.dispatched.first?.wasExercising == false)

        var falling = Monitor()
        let collapse = beats(190, from: 1000, through: 1010).flatMap { falling.observe(upload([$0]), of: runner) }
        #expect(collapse.dispatched.first?.limit.hasPrefix("> 179.8") == true)
        #expect(collapse.dispatched.first?.wasExercising == true)
        var still = Monitor()
        let low = beats(4, from: 1000, through: 1010).flatMap {
            still.observe(upload([$0], type: .respirationRate), of: runner)
        }
        #expect(low.dispatched.count == 1)
        var atRest = Monitor()
        #expect(atRest.live(beats(165, from: 0, through: 10), of: .aged(40)).dispatched.count == 1)
    }

    @Test("SOS-05: critical states with less than half an hour between them are one episode")
    func episodes() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for begin in [0.0, 1500, 3000, 6000] {
            actions += monitor.live(
                beats(38, from: begin, through: begin + 10) + beats(70, from: begin + 11, through: begin + 20))
        }
        let begun = actions.dispatched.map { ($0.episodeFrom - start).milliseconds }
        #expect(begun.map { ($0 + 50) / 100 * 100 } == [100, 100, 100, 6_000_100])
    }

    @Test("SOS-05: a short emergency at the end of a batch counts although it is over")
    func overInBatch() {
        var monitor = Monitor()
        let batch = beats(38, from: 0, through: 4) + beats(70, from: 5, through: 8)
        #expect(monitor.observe(upload(batch), of: .aged(70)).dispatched.count == 1)
    }

    @Test("SOS-05: clocks need not agree, and may be set")
    func clocks() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<4 {
            actions += monitor.observe(
                upload([(Double(second) - 86_400, 38)], received: Double(second)), of: .aged(70))
        }
        #expect(actions.dispatched.first?.firstCriticalAt == time(0))
        for second in 10..<20 {
            actions += monitor.observe(upload([(Double(second), 70)]), of: .aged(70))
        }
        #expect(monitor.phase == .normal)
        for second in 20..<24 {
            actions += monitor.observe(
                upload([(Double(second) - 7200, 38)], received: Double(second)), of: .aged(70))
        }
        #expect(actions.dispatched.count == 2)
    }

    @Test(
        "SOS-04 SOS-05d: a clock of the database that is set finds no emergency again",
        arguments: [-86_400.0, -90, 90, 600])
    func databaseClock(_ step: Double) {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<60 {
            let received = Double(second) + (second < 12 ? 0 : step)
            actions += monitor.observe(upload([(Double(second), 38)], received: received), of: .aged(70))
            // A repeat of the one before last comes late.
            if second == 12 { actions += monitor.observe(upload([(10, 38)], received: received), of: .aged(70)) }
        }
        #expect(actions.dispatched.count == 1 && monitor.phase == .confirmed)
    }

    @Test(
        "SOS-04 SOS-05d: what is read again from storage after the database's clock was set is no emergency again",
        arguments: [-86_400.0, -90, 90, 600])
    func rereadAfterClock(_ step: Double) {
        var monitor = Monitor()
        var actions = monitor.live(beats(38, from: 0, through: 12) + beats(70, from: 13, through: 60))
        #expect(actions.dispatched.count == 1)
        for second in 0...60 {
            let sample = (Double(second), second <= 12 ? 38.0 : 70)
            actions += monitor.observe(
                upload([sample], received: Double(second) + step, held: 60 - Double(second)), of: .aged(70))
        }
        #expect(actions.dispatched.count == 1 && monitor.phase == .normal)
    }

    @Test(
        "SOS-05: a device's clock that was set back while the feed was behind is not taken for something that is read again"
    )
    func deviceClockWhileBehind() {
        var monitor = Monitor()
        var actions = monitor.live(beats(70, from: 0, through: 60))
        for second in 61...80 {
            let beat = (Double(second) - 90, 38.0)
            actions += monitor.observe(
                upload([beat], received: Double(second), held: Double(100 - second)), of: .aged(70))
        }
        for second in 81...90 {
            actions += monitor.observe(upload([(Double(second) - 90, 38)], received: Double(second)), of: .aged(70))
        }
        #expect(actions.dispatched.count == 1)
    }

    @Test("SOS-10: where somebody is is told as it is now also after the database's clock was set back")
    func positionsAfterClock() {
        var monitor = Monitor()
        func observe(_ second: Double, received: Double, latitude: Double) {
            var seen = upload([(second, 70)], received: received)
            seen.fixes = [
                PositionFix(time: time(second), coordinate: Coordinate(latitude: latitude, longitude: 9)!)
            ]
            _ = monitor.observe(seen, of: .aged(70))
        }
        for second in 0..<10 { observe(Double(second), received: Double(second) + 0.1, latitude: 45) }
        for second in 10..<14 { observe(Double(second), received: Double(second) - 3600, latitude: 46) }
        #expect(monitor.fixes.first?.coordinate.latitude == 46)
        #expect(monitor.fixes.allSatisfy { $0.time <= time(14 - 3600) })
        #expect(monitor.lastVitals[.heartRate].map { $0.time <= time(14 - 3600) } == true)
        #expect(monitor.lastVitalAt <= time(80 - 3600))
    }

    @Test("SOS-11bc: zeros without contact are blind, not critical, and monitoring resumes by itself")
    func blind() {
        var monitor = Monitor()
        _ = monitor.live(beats(70, from: 0, through: 5))
        let actions = monitor.live(beats(0, from: 6, through: 60))
        #expect(actions == [.blind(since: time(6.1))])
        #expect(monitor.phase == .blind)
        #expect(monitor.live([(61, 70)]) == [.sighted])
        #expect(monitor.phase == .normal)
    }

    @Test("SOS-11: single zeros cause nothing; neither do they interrupt an emergency")
    func zeros() {
        var monitor = Monitor()
        let calm = (0..<60).map { (Double($0), $0.isMultiple(of: 5) ? 0.0 : 70.0) }
        #expect(monitor.live(calm).isEmpty)
        #expect(monitor.live([(60, 38), (61, 38), (62, 0), (63, 38)]).dispatched.count == 1)
    }

    @Test("SOS-11: one of two sources without contact is not blind")
    func twoSources() {
        var monitor = Monitor()
        var actions: [MonitorAction] = []
        for second in 0..<30 {
            actions += monitor.observe(upload([(Double(second), 0)], source: watch), of: .aged(70))
            actions += monitor.observe(upload([(Double(second) + 0.3, 70)], source: phone), of: .aged(70))
        }
        #expect(actions.isEmpty)
    }

    @Test("SOS-11b: five minutes of silence are blind, once")
    func silence() {
        var monitor = Monitor()
        _ = monitor.live([(0, 70)])
        #expect(monitor.endSilence(now: time(300)).isEmpty)
        #expect(monitor.endSilence(now: time(301)) == [.blind(since: time(0.1))])
        #expect(monitor.endSilence(now: time(900)).isEmpty)
        #expect(monitor.live([(901, 70)]) == [.sighted])
    }

    @Test("SOS-03: a runner's heart may beat faster, also for two minutes afterwards")
    func exercise() {
        var monitor = Monitor()
        var running = upload(beats(150, from: 0, through: 30))
        running.exercise = [time(0), time(30)]
        #expect(monitor.observe(running, of: .aged(70)).isEmpty)
        #expect(monitor.live(beats(150, from: 31, through: 140)).isEmpty)
        #expect(monitor.live(beats(150, from: 160, through: 170)).dispatched.first?.wasExercising == false)
    }

    @Test("SOS-03: a high systolic pressure needs a high diastolic one where the rules say so")
    func pressurePair() {
        for (systolic, diastolic, expected) in [(180.0, 101.0, 1), (180, 100, 0), (171, 101, 1), (170, 101, 0)] {
            var monitor = Monitor()
            var actions: [MonitorAction] = []
            for second in stride(from: 0.0, through: 6, by: 1) {
                var both = upload([(second, systolic)], type: .bloodPressureSystolic)
                both.vitals.append(
                    .init(Measurement(type: .bloodPressureDiastolic, time: time(second), value: diastolic)))
                actions += monitor.observe(both, of: .aged(50, rules: .fixed45To120))
            }
            #expect(actions.dispatched.count == expected)
        }
    }

    @Test("SOS-10: the last positions are kept, newest first")
    func positions() throws {
        var monitor = Monitor()
        for second in 0..<10 {
            var seen = upload([(Double(second), 70)])
            let place = Coordinate(latitude: 45 + Double(second) / 1000, longitude: 9)!
            seen.fixes = [PositionFix(time: time(Double(second)), coordinate: place)]
            _ = monitor.observe(seen, of: .aged(70))
        }
        #expect(monitor.fixes.map(\.time) == (4..<10).reversed().map { time(Double($0) + 0.1) })
    }

    @Test("SOS-07: the state comes back from storage as it was")
    func storage() throws {
        var monitor = Monitor()
        var seen = upload(beats(38, from: 0, through: 2) + [(2.5, 0)])
        seen.fixes = [PositionFix(time: time(1), coordinate: Coordinate(latitude: 45, longitude: 9)!)]
        seen.exercise = [time(0)]
        _ = monitor.observe(seen, of: .aged(70))
        let bytes = monitor.packed
        var restored = try Monitor(packed: bytes)
        #expect(restored == monitor)
        #expect(bytes.count < 200)
        #expect(restored.live([(3, 38)]).dispatched.count == 1)
    }

    @Test("SOS-07: what is stored stays small however long it goes on")
    func bounded() {
        var monitor = Monitor()
        for second in 0..<2000 { _ = monitor.live([(Double(second) / 20, 38)]) }
        #expect(monitor.packed.count < 1000)
        for index in 0..<100 {
            _ = monitor.observe(upload([(200, 70)], source: UUID(high: 5, low: UInt64(index))), of: .aged(70))
        }
        #expect(monitor.tracks.count <= Monitor.tracksMax && monitor.clockOffsets.count <= Monitor.tracksMax)
    }

    @Test("SOS-11: once all that came after a backlog is read, the monitor shows how the person is then")
    func phaseAfterBacklog() {
        var monitor = Monitor()
        _ = monitor.observe(upload(beats(38, from: 0, through: 9), held: 40), of: .aged(70))
        #expect(monitor.phase == .confirmed)
        // Two minutes later nothing of it tells of the present.
        let late = monitor.judgeBacklog(now: time(130), of: .aged(70))
        #expect(late.dispatched.count == 1 && late.contains(.calm) && monitor.phase == .normal)
        // A lost sensor was not believed while more was to be read.
        var lost = Monitor()
        _ = lost.observe(upload(beats(0, from: 0, through: 9), held: 60), of: .aged(70))
        #expect(lost.phase == .normal)
        var waiting = lost
        #expect(!waiting.judgeBacklog(now: time(80), of: .aged(70), isRead: false).isBlind && waiting.phase == .normal)
        #expect(lost.judgeBacklog(now: time(80), of: .aged(70)).isBlind && lost.phase == .blind)
    }
}
