import Domain
import Primitives

/// From what lasted to findings, by the age of what was read.
extension Monitor {
    /// They are judged so much earlier than they are too old.
    private static let backlogMargin = Duration.seconds(5)

    /// Judges a track that got samples.
    mutating func judge(
        _ key: TrackKey, _ seen: Observation, _ wearer: Wearer, _ told: UploadCircumstances
    ) -> [MonitorAction] {
        guard var track = tracks[key] else { return [] }
        followEpisode(track, key)
        var actions: [MonitorAction] = []
        for run in track.newRuns() {
            let value = value(of: key.type, in: seen, at: run.last)
            let finding = finding(run, key, value, wearer, told, receivedAt: seen.receivedAt)
            guard !provisional.knows(finding.origin) else {
                track.markRaised(run)
                continue
            }
            // What waited for its other half may be of another source than the upload.
            let age =
                key.source == seen.source
                ? seen.age(of: run.last) : max(.zero, seen.now - corrected(run.last, key.source))
            if let action = judge(run, &track, finding, age: age, heldFor: seen.heldFor, at: seen.now) {
                actions.append(action)
            }
        }
        track.trim()
        tracks[key] = track
        return actions
    }

    /// Judges a track when nothing more is to be read.
    mutating func judgeLate(_ key: TrackKey, at now: Timestamp, _ wearer: Wearer) -> [MonitorAction] {
        guard var track = tracks[key] else { return [] }
        var actions: [MonitorAction] = []
        for run in track.newRuns() {
            let at = corrected(run.last, key.source)
            let finding = finding(run, key, lastVitals[key.type]?.value ?? 0, wearer, .none, receivedAt: at)
            let action = judge(run, &track, finding, age: max(.zero, now - at), heldFor: .zero, at: now)
            if let action { actions.append(action) }
        }
        tracks[key] = track
        return actions
    }

    /// What a run that lasted means, by the age of its last sample, which was read `heldFor` after ingestion received it.
    private mutating func judge(
        _ run: VitalTrack.Run, _ track: inout VitalTrack, _ finding: Finding, age: Duration, heldFor: Duration,
        at now: Timestamp
    ) -> MonitorAction? {
        var finding = finding
        finding.isDelayed = age > Self.freshMax
        if age <= Self.freshMax {
            track.markRaised(run)
            provisional.raise(run, finding.origin)
            return .found(finding)
        }
        if age <= Self.backlogMax, run.isOpen {
            if heldFor > Self.freshMax {
                let latest = now + max(.zero, min(Self.backlogWait, Self.backlogMax - Self.backlogMargin - age))
                judgeBy = min(judgeBy ?? latest, latest)
                return nil
            }
            track.markRaised(run)
            provisional.raise(run, finding.origin)
            return .found(finding)
        }
        return track.markReported(run) ? .report(finding) : nil
    }

    private func finding(
        _ run: VitalTrack.Run, _ key: TrackKey, _ value: Double, _ wearer: Wearer, _ told: UploadCircumstances,
        receivedAt: Timestamp
    ) -> Finding {
        let (first, at) = (corrected(run.first, key.source), corrected(run.last, key.source))
        let rule = rule(key.type, at: at, wearer, told)
        return Finding(
            origin: .init(source: key.source, type: key.type, time: run.origin), rules: wearer.rules,
            rulesVersion: wearer.rules.version,
            // The value may have come back before the state was judged: the limit is the one that it was beyond.
            limit: rule?.limits.exceeded(by: value) ?? rule?.limits.text(isHigh: run.isHigh) ?? "", value: value,
            firstCriticalAt: first, confirmedAt: corrected(run.confirmed ?? run.last, key.source),
            episodeFrom: episode.map { min($0.lowerBound, first) } ?? first, receivedAt: receivedAt, isDelayed: false,
            wasExercising: isExercising(at: at, wearer, told),
            isProvisional: provisional.has(run, key.source, key.type),
            thresholds: rule.map { Finding.Thresholds($0, wearer.thresholds) },
            severe: run.isWorse ? nil : run.worse.map { severe($0, key.source) })
    }

    private func severe(_ run: VitalTrack.Run, _ source: UUID) -> Finding.Severe {
        .init(
            time: run.origin, firstCriticalAt: corrected(run.first, source),
            confirmedAt: corrected(run.confirmed ?? run.last, source))
    }

    private mutating func followEpisode(_ track: VitalTrack, _ key: TrackKey) {
        guard VitalRule.concern(of: key.type) == .ambulance else { return }
        for run in track.runs where run.confirmed != nil {
            let (first, last) = (corrected(run.first, key.source), corrected(run.last, key.source))
            guard let known = episode, first - known.upperBound < Self.calmMin else {
                episode = first...last
                continue
            }
            // A run that is read late may lie long before.
            guard known.lowerBound - last < Self.calmMin else { continue }
            episode = min(known.lowerBound, first)...max(known.upperBound, last)
        }
    }

    private func value(of type: DataType, in seen: Observation, at time: Timestamp) -> Double {
        let sample = seen.vitals.last {
            $0.type == type && $0.hasContact && min($0.time, seen.sentAt) == time
        }
        return sample?.value ?? lastVitals[type]?.value ?? 0
    }

    // MARK: Shaking

    /// Shaking is judged as it is read: what is too old for a call is too old for the contacts to come, and is reported.
    mutating func judgeShaking(_ seen: Observation, _ wearer: Wearer) -> [MonitorAction] {
        guard let newest = seen.shaking.last else { return [] }
        let at = seen.corrected(newest.time)
        let heart = lastVitals[.heartRate].flatMap { at - $0.time <= Self.alertHold ? $0.value : nil }
        let found = shaking.add(
            seen.shaking, from: seen.source, at: at, heartRate: heart,
            isExercise: circumstances.isStatedExercise(at: at, in: wearer.runs))
        guard let found else { return [] }
        let age = seen.age(of: found.last)
        let first = seen.corrected(found.first)
        let finding = Finding(
            origin: .init(source: found.source, type: .shakingAmplitude, time: found.first), rules: wearer.rules,
            rulesVersion: wearer.rules.version, limit: ">= \(ShakingWatch.amplitudeMin)", value: found.amplitude,
            firstCriticalAt: first, confirmedAt: seen.corrected(found.confirmed), episodeFrom: first,
            receivedAt: seen.receivedAt, isDelayed: age > Self.freshMax, wasExercising: false,
            thresholds: .init(low: nil, high: ShakingWatch.amplitudeMin, setBy: .rules, doctor: nil))
        return [age <= Self.backlogMax ? .found(finding) : .report(finding)]
    }
}

extension MonitorAction {
    /// What is asked for when a state has lasted, by whom its rule concerns.
    static func found(_ finding: Finding) -> MonitorAction {
        switch VitalRule.concern(of: finding.type) {
        case .ambulance: .dispatch(finding)
        case .contacts: .tellContacts(finding)
        }
    }
}
