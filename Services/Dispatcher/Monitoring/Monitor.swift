import Domain
import Primitives

/// Watches one person: samples and the clock in, actions out, nothing else (SOS-02 to SOS-05, SOS-11). Its state is stored with
/// the feed's cursor, so that every sample counts once.
struct Monitor: Sendable, Equatable {
    /// Samples up to this age dispatch by themselves.
    static let freshMax = Duration.seconds(10)
    /// Older ones up to this age dispatch, marked as delayed, when they end critical.
    static let backlogMax = Duration.seconds(300)
    /// After so much time without any vital sign the monitor is blind.
    static let silenceMax = Duration.seconds(300)
    /// A critical value says nothing of the present any more after this, or after the gap that ends its run.
    static let alertHold = Duration.seconds(60)
    /// The heart rate falls slowly: exercise counts for so long after its last sign.
    static let exerciseHold = Duration.seconds(120)
    /// A source whose clock moved by more begins anew.
    static let clockStepMin = Duration.seconds(60)
    /// A systolic pressure belongs to a diastolic one that is at most so far away.
    static let pressurePairMax = Duration.seconds(60)
    static let tracksMax = 32
    static let fixesMax = 6

    struct TrackKey: Hashable, Sendable {
        let source: UUID
        let type: DataType
    }

    /// The last valid value of a vital sign, by the ingestion service's clock.
    struct LastVital: Sendable, Equatable, Codable {
        var type: DataType
        var value: Double
        var time: Timestamp
    }

    private(set) var phase = MonitorPhase.normal
    var tracks: [TrackKey: VitalTrack] = [:]
    /// How far each source's clock is behind the ingestion service's.
    var clockOffsets: [UUID: Duration] = [:]
    /// The last stretch of exercise.
    var exercise: ClosedRange<Timestamp>?
    var lastVitals: [DataType: LastVital] = [:]
    /// The last positions, newest first, by the ingestion service's clock.
    var fixes: [PositionFix] = []
    /// When the last vital sign came; before the first, since when one is waited for.
    var heardAt: Timestamp?

    init() {}

    /// Of somebody who is watched from now on.
    init(begunAt time: Timestamp) {
        heardAt = time
    }

    /// Restores what was stored.
    init(phase: MonitorPhase) {
        self.phase = phase
    }

    // MARK: Samples

    /// Takes what one upload says.
    mutating func observe(_ seen: Observation, of wearer: Wearer) -> [MonitorAction] {
        if heardAt == nil || seen.hasVital { heardAt = max(heardAt ?? seen.receivedAt, seen.receivedAt) }
        followClock(of: seen)
        follow(seen)
        var actions: [MonitorAction] = []
        for type in take(seen, wearer) {
            let key = TrackKey(source: seen.source, type: type)
            guard var track = tracks[key] else { continue }
            for run in track.takeNewRuns() {
                if let action = judge(run, &track, type, seen, wearer) { actions.append(action) }
            }
            track.trim()
            tracks[key] = track
        }
        dropOldTracks()
        return changePhase(at: seen.receivedAt) + actions
    }

    /// Nothing came for a long time.
    mutating func tick(now: Timestamp) -> [MonitorAction] {
        guard let heardAt else {
            self.heardAt = now
            return []
        }
        guard phase != .blind, now - heardAt > Self.silenceMax else { return [] }
        phase = .blind
        return [.blind(since: heardAt)]
    }

    /// Adds the vital signs to their tracks; the answer is the types that got some.
    private mutating func take(_ seen: Observation, _ wearer: Wearer) -> [DataType] {
        var types: [DataType] = []
        for sample in seen.vitals {
            // A sample from the future of its own device is as new as can be.
            let time = min(sample.time, seen.sentAt)
            let corrected = seen.corrected(time)
            let key = TrackKey(source: seen.source, type: sample.type)
            guard sample.hasContact else {
                tracks[key, default: VitalTrack()].addLost(at: time)
                continue
            }
            if corrected >= lastVitals[sample.type]?.time ?? corrected {
                lastVitals[sample.type] = LastVital(type: sample.type, value: sample.value, time: corrected)
            }
            guard let limits = limits(sample.type, at: corrected, wearer) else { continue }
            let isCritical =
                limits.isCritical(sample.value) && isAccompanied(sample, time, seen, wearer)
            tracks[key, default: VitalTrack()].add(.init(time: time, isCritical: isCritical))
            if !types.contains(sample.type) { types.append(sample.type) }
        }
        return types
    }

    private func limits(_ type: DataType, at time: Timestamp, _ wearer: Wearer) -> VitalLimits? {
        wearer.rules.limits(
            for: type, ageMonths: wearer.ageMonths(on: time.dateUTC), isExercising: isExercising(at: time))
    }

    /// Some rules ask for two values at once.
    private func isAccompanied(
        _ sample: Observation.Vital, _ time: Timestamp, _ seen: Observation, _ wearer: Wearer
    ) -> Bool {
        guard sample.type == .bloodPressureSystolic, let limit = wearer.rules.diastolicAbove else { return true }
        let nearest = seen.vitals.filter { $0.type == .bloodPressureDiastolic && $0.hasContact }
            .min { abs(($0.time - sample.time).microseconds) < abs(($1.time - sample.time).microseconds) }
        if let nearest, abs((nearest.time - sample.time).microseconds) <= Self.pressurePairMax.microseconds {
            return nearest.value > limit
        }
        guard let last = lastVitals[.bloodPressureDiastolic] else { return false }
        let distance = abs((seen.corrected(time) - last.time).microseconds)
        return distance <= Self.pressurePairMax.microseconds && last.value > limit
    }

    // MARK: Judgement

    /// What a run that lasted means, by the age of its last sample.
    private func judge(
        _ run: VitalTrack.Run, _ track: inout VitalTrack, _ type: DataType, _ seen: Observation, _ wearer: Wearer
    ) -> MonitorAction? {
        let age = seen.age(of: run.last)
        let dispatches = age <= Self.freshMax || age <= Self.backlogMax && run.isOpen
        if dispatches { track.markRaised(run) } else if !track.markReported(run) { return nil }
        let value = value(of: type, in: seen, at: run.last)
        let at = seen.corrected(run.last)
        let finding = Finding(
            origin: .init(source: seen.source, type: type, time: run.first), rules: wearer.rules,
            rulesVersion: wearer.rules.version, limit: limits(type, at: at, wearer)?.exceeded(by: value) ?? "",
            value: value, firstCriticalAt: seen.corrected(run.first),
            confirmedAt: seen.corrected(run.confirmed ?? run.last), receivedAt: seen.receivedAt,
            isDelayed: age > Self.freshMax, wasExercising: isExercising(at: at))
        return dispatches ? .dispatch(finding) : .report(finding)
    }

    private func value(of type: DataType, in seen: Observation, at time: Timestamp) -> Double {
        let sample = seen.vitals.last {
            $0.type == type && $0.hasContact && min($0.time, seen.sentAt) == time
        }
        return sample?.value ?? lastVitals[type]?.value ?? 0
    }

    private mutating func changePhase(at now: Timestamp) -> [MonitorAction] {
        let before = phase
        var isAlerted = false
        var isConfirmed = false
        for (key, track) in tracks {
            guard let run = track.openRun, isPresent(run, track, key.source, at: now) else { continue }
            isAlerted = true
            if run.confirmed != nil || track.raisedThrough.map({ run.first <= $0 }) == true { isConfirmed = true }
        }
        let lost = lostSince ?? heardAt.flatMap { now - $0 > Self.silenceMax ? $0 : nil }
        phase = isConfirmed ? .confirmed : isAlerted ? .alerted : lost != nil ? .blind : .normal
        guard phase != before else { return [] }
        switch phase {
        case .blind: return [.blind(since: lost ?? now)]
        case .alerted, .confirmed: return (before == .blind ? [.sighted] : []) + (before == .confirmed ? [] : [.alert])
        case .normal: return before == .blind ? [.sighted] : [.calm]
        }
    }

    /// Whether a run without a normal value after it says how the person is now.
    private func isPresent(_ run: VitalTrack.Run, _ track: VitalTrack, _ source: UUID, at now: Timestamp) -> Bool {
        let age = now - (run.last + (clockOffsets[source] ?? .zero))
        return !track.hasLostContact && age <= max(track.gapMax, Self.alertHold)
    }

    /// Since when the sensor of a vital sign has no contact and no other source gives it; `nil` when all can be seen.
    private var lostSince: Timestamp? {
        tracks.compactMap { key, track -> Timestamp? in
            guard track.hasLostContact, let lost = track.lost else { return nil }
            let since = lost.first + (clockOffsets[key.source] ?? .zero)
            guard let valid = lastVitals[key.type], valid.time > since else { return since }
            return nil
        }.min()
    }

    // MARK: Surroundings

    private func isExercising(at time: Timestamp) -> Bool {
        guard let exercise else { return false }
        return time >= exercise.lowerBound && time <= exercise.upperBound + Self.exerciseHold
    }

    private mutating func follow(_ seen: Observation) {
        for time in seen.exercise {
            let at = seen.corrected(time)
            guard let known = exercise, at >= known.lowerBound - Self.exerciseHold else {
                if exercise == nil { exercise = at...at }
                continue
            }
            exercise =
                at > known.upperBound + Self.exerciseHold
                ? at...at : min(known.lowerBound, at)...max(known.upperBound, at)
        }
        for fix in seen.fixes {
            let at = seen.corrected(fix.time)
            let placed = PositionFix(
                time: at, coordinate: fix.coordinate, altitude: fix.altitude, accuracy: fix.accuracy)
            guard !fixes.contains(where: { $0.time == at }) else { continue }
            let index = fixes.firstIndex { $0.time < at } ?? fixes.count
            fixes.insert(placed, at: index)
            if fixes.count > Self.fixesMax { fixes.removeLast() }
        }
    }

    /// A device's clock that was set makes its earlier times meaningless.
    private mutating func followClock(of seen: Observation) {
        let offset = seen.receivedAt - seen.sentAt
        if let known = clockOffsets[seen.source] {
            let step = abs((offset - known).microseconds)
            if step > Self.clockStepMin.microseconds { tracks = tracks.filter { $0.key.source != seen.source } }
        }
        clockOffsets[seen.source] = offset
    }

    /// The sources that have been silent for longest make room.
    private mutating func dropOldTracks() {
        while tracks.count > Self.tracksMax {
            let oldest = tracks.min { left, right in lastTime(left) < lastTime(right) }
            guard let oldest else { return }
            tracks[oldest.key] = nil
        }
        let sources = Set(tracks.keys.map(\.source))
        if clockOffsets.count > Self.tracksMax { clockOffsets = clockOffsets.filter { sources.contains($0.key) } }
    }

    private func lastTime(_ track: (key: TrackKey, value: VitalTrack)) -> Timestamp {
        let own = track.value.entries.last?.time ?? track.value.lost?.last ?? Timestamp(microseconds: 0)
        return own + (clockOffsets[track.key.source] ?? .zero)
    }
}
