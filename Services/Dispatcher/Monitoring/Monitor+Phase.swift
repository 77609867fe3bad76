import Domain
import Primitives

/// How the person stands, from the samples alone.
extension Monitor {
    /// With `isLate` what was seen is too old to say that the sensor is lost: what came after it may be unread still.
    mutating func changePhase(at now: Timestamp, isLate: Bool) -> [MonitorAction] {
        let before = phase
        var isAlerted = false
        var isConfirmed = false
        // What concerns the contacts alone is no reason to measure three times a second.
        for (key, track) in tracks where VitalRule.concern(of: key.type) == .ambulance {
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
            // A thermometer that was put on begins with the air.
            if key.type == .bodyTemperature, lost.last - lost.first < LooseThermometer.warmingMax { return nil }
            let since = corrected(lost.first, key.source)
            guard let valid = lastVitals[key.type], valid.time > since else { return since }
            return nil
        }.min()
    }
}
