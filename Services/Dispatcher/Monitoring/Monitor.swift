import Domain
import Primitives

/// Watches one person: samples and the clock in, actions out, nothing else (SOS-02 to SOS-05, SOS-11). Its state is in memory,
/// saved before the feed's cursor moves past it (`Live/README.md`); a sample that comes again changes nothing.
///
/// What is here: state and entry points. `Monitor+Vitals` makes levels of samples, `Monitor+Judging` makes findings of what
/// lasted, `Monitor+Phase` says how the person stands; limits are in `Rules`, recent samples in `Tracks`, what the person is
/// doing in `Surroundings`.
struct Monitor: Sendable, Equatable {
    /// Samples up to this age dispatch by themselves.
    static let freshMax = Duration.seconds(10)
    /// Older ones up to this age dispatch, marked as delayed, when they end critical.
    static let backlogMax = Duration.seconds(300)
    /// Critical states in events that were read late are judged when all later events have been read, at the latest
    /// after this.
    static let backlogWait = Duration.seconds(30)
    /// A critical state this long after the last one is another emergency.
    static let calmMin = Duration.seconds(1800)
    /// After this long without any vital sign the monitor is blind.
    static let silenceMax = Duration.seconds(300)
    /// A critical value tells of the present for so long, or until the gap that ends its run.
    static let alertHold = Duration.seconds(60)
    /// A source whose clock moved by more starts with empty tracks.
    static let clockStepMin = Duration.seconds(60)
    /// An upload that is behind others of its source by no more goes on with them.
    private static let lateMax = Duration.seconds(15)
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
    var phase = MonitorPhase.normal
    /// By the sources' clocks.
    var tracks: [TrackKey: VitalTrack] = [:]
    /// How far each source's clock is behind the database's.
    var clockOffsets: [UUID: Duration] = [:]
    var circumstances = Circumstances()
    var pressures = PressurePairs()
    var shaking = ShakingWatch()
    var thermometer = LooseThermometer()
    var lastVitals: [DataType: LastVital] = [:]
    /// The last positions, newest first.
    var fixes: [PositionFix] = []
    /// When ingestion received the last vital sign; before the first, since when one is waited for.
    var lastVitalAt: Timestamp
    /// Since when no vital sign has come, once that is sure.
    var silentSince: Timestamp?
    /// The last critical states that lasted, with less than `calmMin` between them.
    var episode: ClosedRange<Timestamp>?
    /// What was judged before ingestion had stored it.
    var provisional = ProvisionalTimes()
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
        forget(after: seen.now + Self.clockStepMin)
        if seen.hasVital {
            lastVitalAt = max(lastVitalAt, seen.receivedAt)
            silentSince = nil
        }
        followClock(of: seen)
        let told = UploadCircumstances(seen, after: circumstances)
        circumstances.follow(seen)
        follow(seen.fixes, seen)
        var actions: [MonitorAction] = []
        for key in addVitals(seen, wearer, told) { actions += judge(key, seen, wearer, told) }
        actions += judgeShaking(seen, wearer)
        dropOldTracks()
        if !provisional.isEmpty { actions += provisional.takeStored().map { .stored($0) } }
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
        for key in tracks.keys { actions += judgeLate(key, at: now, wearer) }
        return changePhase(at: now, isLate: !isRead) + actions
    }

    /// A time of a source's clock by that of the database.
    func corrected(_ time: Timestamp, _ source: UUID) -> Timestamp { time + (clockOffsets[source] ?? .zero) }

    /// Times that are still to come are of before this service's database had its clock set back: what comes now would seem older than
    /// they are. Tracks have the times of the sources.
    private mutating func forget(after limit: Timestamp) {
        if fixes.first.map({ $0.time > limit }) ?? false { fixes.removeAll { $0.time > limit } }
        if lastVitals.values.contains(where: { $0.time > limit }) {
            lastVitals = lastVitals.filter { $0.value.time <= limit }
        }
        lastVitalAt = min(lastVitalAt, limit)
        circumstances.forget(after: limit)
    }

    private mutating func follow(_ positions: [PositionFix], _ seen: Observation) {
        for fix in positions {
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

    /// A device's clock that was set makes its earlier times meaningless. When the device's own times go on, it is the database's clock
    /// that was set, and what was found is not to be found again.
    private mutating func followClock(of seen: Observation) {
        let offset = seen.receivedAt - seen.sentAt
        if let known = clockOffsets[seen.source] {
            let step = offset - known
            if abs(step.microseconds) > Self.clockStepMin.microseconds, !goesOn(seen, after: step) {
                tracks = tracks.filter { $0.key.source != seen.source }
                if shaking.source == seen.source { shaking.forgetStretch() }
            }
        }
        clockOffsets[seen.source] = offset
    }

    /// Whether an upload follows what its source has sent before, by the source's own clock. It came by `step` later, by the
    /// difference of the clocks, than the one before.
    private func goesOn(_ seen: Observation, after step: Duration) -> Bool {
        let newest = tracks.filter { $0.key.source == seen.source }.compactMap(\.value.entries.last?.time).max()
        guard let newest else { return false }
        let behind = newest - seen.sentAt
        // Uploads come late, and twice.
        guard behind > Self.lateMax else { return behind >= .zero - Self.clockStepMin }
        // What is read again is behind what has come since. So is a source whose clock was set back, by as much as it was set.
        return behind <= Self.lateMax + seen.heldFor && abs((step - behind).microseconds) > Self.lateMax.microseconds
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
