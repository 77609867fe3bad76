import Domain
import Primitives

/// Watches one person: samples and the clock in, actions out, nothing else (SOS-02 to SOS-05, SOS-11). Its state is stored with
/// the feed's cursor, so that every sample counts once.
struct Monitor: Sendable, Equatable {
    /// Samples up to this age dispatch by themselves.
    static let freshMax = Duration.seconds(10)
    /// Older ones up to this age dispatch, marked as delayed, when they end critical.
    static let backlogMax = Duration.seconds(300)
    /// Critical states in events that were read late are judged when all later events have been read, at the latest
    /// after this.
    static let backlogWait = Duration.seconds(30)
    /// They are judged so much earlier than they are too old.
    private static let backlogMargin = Duration.seconds(5)
    /// A critical state this long after the last one is another emergency.
    static let calmMin = Duration.seconds(1800)
    /// After this long without any vital sign the monitor is blind.
    static let silenceMax = Duration.seconds(300)
    /// A critical value tells of the present for so long, or until the gap that ends its run.
    static let alertHold = Duration.seconds(60)
    /// The heart rate falls slowly: exercise counts for so long after its last sign.
    static let exerciseHold = Duration.seconds(120)
    /// A source whose clock moved by more starts with empty tracks.
    static let clockStepMin = Duration.seconds(60)
    /// A systolic pressure belongs to a diastolic one that is at most so far away.
    static let pressurePairMax = Duration.seconds(60)
    /// Two readings of one position differ at most so much in time, as their ages are measured separately.
    private static let repeatMax = Duration.milliseconds(500)
    static let tracksMax = 32
    static let fixesMax = 6

    struct TrackKey: Hashable, Sendable {
        let source: UUID
        let type: DataType
    }

    /// The last valid value of a vital sign.
    struct LastVital: Sendable, Equatable, Codable {
        var type: DataType
        var value: Double
        var time: Timestamp
    }

    // All times but those in the tracks are by the clock of this service's database.
    private(set) var phase = MonitorPhase.normal
    /// By the sources' clocks.
    var tracks: [TrackKey: VitalTrack] = [:]
    /// How far each source's clock is behind the database's.
    var clockOffsets: [UUID: Duration] = [:]
    /// The last stretch of exercise.
    var exercise: ClosedRange<Timestamp>?
    var lastVitals: [DataType: LastVital] = [:]
    /// The last positions, newest first.
    var fixes: [PositionFix] = []
    /// When ingestion received the last vital sign; before the first, since when one is waited for.
    var lastVitalAt: Timestamp
    /// Since when no vital sign has come, once that is sure.
    var silentSince: Timestamp?
    /// The last critical states that lasted, with less than `calmMin` between them.
    var episode: ClosedRange<Timestamp>?
    /// Something critical was read so late that what came after it may be unread still: when it is judged at the latest.
    var judgeBy: Timestamp?

    /// The monitor of a person who is watched from now on.
    init(begunAt time: Timestamp) {
        lastVitalAt = time
    }

    /// The monitor that was stored.
    init(phase: MonitorPhase, lastVitalAt: Timestamp) {
        self.phase = phase
        self.lastVitalAt = lastVitalAt
    }

    // MARK: Samples

    /// Applies one upload.
    mutating func observe(_ seen: Observation, of wearer: Wearer) -> [MonitorAction] {
        if seen.hasVital {
            lastVitalAt = max(lastVitalAt, seen.receivedAt)
            silentSince = nil
        }
        followClock(of: seen)
        follow(seen)
        var actions: [MonitorAction] = []
        for type in addVitals(seen, wearer) {
            let key = TrackKey(source: seen.source, type: type)
            guard var track = tracks[key] else { continue }
            followEpisode(track, seen.source)
            for run in track.newRuns() {
                let value = value(of: type, in: seen, at: run.last)
                let finding = finding(run, key, value, wearer, receivedAt: seen.receivedAt)
                let action = judge(
                    run, &track, finding, age: seen.age(of: run.last), heldFor: seen.heldFor, at: seen.now)
                if let action { actions.append(action) }
            }
            track.trim()
            tracks[key] = track
        }
        dropOldTracks()
        return changePhase(at: seen.now, isLate: seen.heldFor > Self.freshMax) + actions
    }

    /// Call when everything received up to now has been read and no vital sign was in it for `silenceMax`.
    mutating func endSilence(now: Timestamp) -> [MonitorAction] {
        guard silentSince == nil, now - lastVitalAt > Self.silenceMax else { return [] }
        silentSince = lastVitalAt
        return changePhase(at: now, isLate: false)
    }

    /// Judges what was read late, now that what came after it has been read (`isRead`), or cannot be waited for any longer.
    mutating func judgeBacklog(now: Timestamp, of wearer: Wearer, isRead: Bool = true) -> [MonitorAction] {
        judgeBy = nil
        var actions: [MonitorAction] = []
        for (key, known) in tracks {
            var track = known
            for run in track.newRuns() {
                let at = corrected(run.last, key.source)
                let finding = finding(run, key, lastVitals[key.type]?.value ?? 0, wearer, receivedAt: at)
                let action = judge(run, &track, finding, age: max(.zero, now - at), heldFor: .zero, at: now)
                if let action { actions.append(action) }
            }
            tracks[key] = track
        }
        return changePhase(at: now, isLate: !isRead) + actions
    }

    /// Adds the vital signs to their tracks; returns the types that got some.
    private mutating func addVitals(_ seen: Observation, _ wearer: Wearer) -> [DataType] {
        var types: [DataType] = []
        for sample in seen.vitals {
            // A sample from the future of its own device counts as measured when it was sent.
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
            for: type, ageMonths: wearer.ageMonths(on: time.dateUTC), isExercising: isExercising(at: time, wearer))
    }

    /// Whether the diastolic pressure that some rules ask for goes with a critical systolic one.
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

    /// What a run that lasted means, by the age of its last sample, which was read `heldFor` after ingestion received it.
    private mutating func judge(
        _ run: VitalTrack.Run, _ track: inout VitalTrack, _ finding: Finding, age: Duration, heldFor: Duration,
        at now: Timestamp
    ) -> MonitorAction? {
        var finding = finding
        finding.isDelayed = age > Self.freshMax
        if age <= Self.freshMax {
            track.markRaised(run)
            return .dispatch(finding)
        }
        if age <= Self.backlogMax, run.isOpen {
            if heldFor > Self.freshMax {
                let latest = now + max(.zero, min(Self.backlogWait, Self.backlogMax - Self.backlogMargin - age))
                judgeBy = min(judgeBy ?? latest, latest)
                return nil
            }
            track.markRaised(run)
            return .dispatch(finding)
        }
        return track.markReported(run) ? .report(finding) : nil
    }

    private func finding(
        _ run: VitalTrack.Run, _ key: TrackKey, _ value: Double, _ wearer: Wearer, receivedAt: Timestamp
    ) -> Finding {
        let (first, at) = (corrected(run.first, key.source), corrected(run.last, key.source))
        return Finding(
            origin: .init(source: key.source, type: key.type, time: run.first), rules: wearer.rules,
            rulesVersion: wearer.rules.version,
            limit: limits(key.type, at: at, wearer)?.exceeded(by: value) ?? "", value: value,
            firstCriticalAt: first, confirmedAt: corrected(run.confirmed ?? run.last, key.source),
            episodeFrom: episode.map { min($0.lowerBound, first) } ?? first, receivedAt: receivedAt, isDelayed: false,
            wasExercising: isExercising(at: at, wearer))
    }

    private mutating func followEpisode(_ track: VitalTrack, _ source: UUID) {
        for run in track.runs where run.confirmed != nil {
            let (first, last) = (corrected(run.first, source), corrected(run.last, source))
            guard let known = episode, first - known.upperBound < Self.calmMin else {
                episode = first...last
                continue
            }
            // A run that is read late may lie long before.
            guard known.lowerBound - last < Self.calmMin else { continue }
            episode = min(known.lowerBound, first)...max(known.upperBound, last)
        }
    }

    /// A time of a source's clock by that of the database.
    private func corrected(_ time: Timestamp, _ source: UUID) -> Timestamp { time + (clockOffsets[source] ?? .zero) }

    private func value(of type: DataType, in seen: Observation, at time: Timestamp) -> Double {
        let sample = seen.vitals.last {
            $0.type == type && $0.hasContact && min($0.time, seen.sentAt) == time
        }
        return sample?.value ?? lastVitals[type]?.value ?? 0
    }

    /// With `isLate` what was seen is too old to say that the sensor is lost: what came after it may be unread still.
    private mutating func changePhase(at now: Timestamp, isLate: Bool) -> [MonitorAction] {
        let before = phase
        var isAlerted = false
        var isConfirmed = false
        for (key, track) in tracks {
            guard let run = track.openRun, isPresent(run, track, key.source, at: now) else { continue }
            isAlerted = true
            if run.confirmed != nil || track.raisedThrough.map({ run.first <= $0 }) == true { isConfirmed = true }
        }
        let lost = (isLate && before != .blind ? nil : lostSince) ?? silentSince
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
        let age = now - corrected(run.last, source)
        return !track.hasLostContact && age <= max(track.gapMax, Self.alertHold)
    }

    /// Since when the sensor of a vital sign has no contact and no other source gives it; `nil` when all can be seen.
    private var lostSince: Timestamp? {
        tracks.compactMap { key, track -> Timestamp? in
            guard track.hasLostContact, let lost = track.lost else { return nil }
            let since = corrected(lost.first, key.source)
            guard let valid = lastVitals[key.type], valid.time > since else { return since }
            return nil
        }.min()
    }

    // MARK: Surroundings

    private func isExercising(at time: Timestamp, _ wearer: Wearer) -> Bool {
        if wearer.runs.contains(where: { time >= $0.lowerBound && time <= $0.upperBound + Self.exerciseHold }) {
            return true
        }
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
            let isKnown = fixes.contains { known in
                known.coordinate == fix.coordinate && abs((known.time - at).microseconds) < Self.repeatMax.microseconds
            }
            guard !isKnown else { continue }
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

    /// Removes the tracks of the sources that have been silent for longest.
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
        return corrected(own, track.key.source)
    }
}
