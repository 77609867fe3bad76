import Domain
import Primitives

/// From samples to levels: which limits hold, what is no reading of the person, and what is doubtful.
extension Monitor {
    /// Adds the vital signs to their tracks; returns the tracks that got some.
    mutating func addVitals(_ seen: Observation, _ wearer: Wearer, _ told: UploadCircumstances) -> [TrackKey] {
        var keys: [TrackKey] = []
        let diastolic = seen.vitals.filter { $0.type == .bloodPressureDiastolic && $0.hasContact }
            .map { PressurePairs.Diastolic(at: seen.corrected(min($0.time, seen.sentAt)), value: $0.value) }
        for sample in seen.vitals {
            // A sample from the future of its own device counts as measured when it was sent.
            let time = min(sample.time, seen.sentAt)
            let at = seen.corrected(time)
            let key = TrackKey(source: seen.source, type: sample.type)
            let rule = rule(sample.type, at: at, wearer, told)
            tracks[key]?.contact.note(contact: sample.hasContact, at: time)
            guard sample.hasContact, !isFaulty(sample.value, key, time, at, rule, wearer) else {
                tracks[key, default: VitalTrack(pace: Pace(sample.type))].addLost(at: time)
                continue
            }
            if at >= lastVitals[sample.type]?.time ?? at {
                lastVitals[sample.type] = LastVital(type: sample.type, value: sample.value, time: at)
            }
            if sample.type == .bodyTemperature { thermometer.follow(sample.value, at: at) }
            if sample.type == .heartRate { shaking.followHeart(sample.value, at: at) }
            if sample.type == .bloodPressureDiastolic { decidePressures(by: sample.value, at, wearer, &keys) }
            guard let rule else { continue }
            followStorage(of: sample.type, at: time, in: seen)
            var level = rule.level(of: sample.value)
            if level >= .critical, sample.type == .bloodPressureSystolic, rule.limits.isHigh(sample.value),
                let limit = wearer.rules.diastolicAbove, rule.origin == .rules
            {
                guard let paired = PressurePairs.level(at: at, by: diastolic + lastDiastolic, above: limit) else {
                    pressures.wait(.init(source: seen.source, time: time, at: at, value: sample.value))
                    continue
                }
                if paired < .critical { level = paired }
            }
            guard let isDoubtful = doubt(sample, rule, at, seen, told) else { continue }
            let isSettling = tracks[key]?.contact.isSettling(at: time, sample.type) ?? false
            let isHigh = rule.limits.isHigh(sample.value)
            add(
                .init(time: time, level: level, isHigh: isHigh, isDoubtful: isDoubtful || isSettling), to: key, &keys)
        }
        return keys
    }

    /// Whether it is stored. What has come from storage already is not provisional.
    private mutating func followStorage(of type: DataType, at time: Timestamp, in seen: Observation) {
        guard seen.isProvisional else {
            if !provisional.isEmpty { provisional.store(time, seen.source, type) }
            return
        }
        let known = tracks[TrackKey(source: seen.source, type: type)]?.entries ?? []
        guard !known.contains(where: { $0.time == time }) else { return }
        provisional.add(time, seen.source, type)
    }

    private mutating func add(_ entry: VitalTrack.Entry, to key: TrackKey, _ keys: inout [TrackKey]) {
        tracks[key, default: VitalTrack(pace: Pace(key.type))].add(entry)
        if !keys.contains(key) { keys.append(key) }
    }

    /// `told` is what the upload tells that is judged.
    func rule(
        _ type: DataType, at time: Timestamp, _ wearer: Wearer, _ told: UploadCircumstances = .none
    ) -> VitalRule? {
        wearer.rules.rule(
            for: type,
            RuleContext(
                ageMonths: wearer.ageMonths(on: time.dateUTC),
                isExercising: isExercising(at: time, wearer, told),
                isAsleep: type == .heartRate
                    && (told.isAsleep(at: time)
                        || circumstances.isAsleep(at: time, longitude: fixes.first?.coordinate.longitude)),
                thresholds: wearer.thresholds))
    }

    func isExercising(at time: Timestamp, _ wearer: Wearer, _ told: UploadCircumstances) -> Bool {
        told.isExercising(at: time) || circumstances.isExercising(at: time, in: wearer.runs)
    }

    // MARK: Pressure

    private var lastDiastolic: [PressurePairs.Diastolic] {
        lastVitals[.bloodPressureDiastolic].map { [.init(at: $0.time, value: $0.value)] } ?? []
    }

    /// A diastolic pressure decides about systolic ones that wait for it.
    private mutating func decidePressures(
        by value: Double, _ at: Timestamp, _ wearer: Wearer, _ keys: inout [TrackKey]
    ) {
        guard let limit = wearer.rules.diastolicAbove else { return }
        for (reading, paired) in pressures.decide(.init(at: at, value: value), above: limit) {
            guard let rule = rule(.bloodPressureSystolic, at: reading.at, wearer) else { continue }
            add(
                .init(
                    time: reading.time, level: paired < .critical ? paired : rule.level(of: reading.value),
                    isHigh: true),
                to: TrackKey(source: reading.source, type: .bloodPressureSystolic), &keys)
        }
    }

    // MARK: Sensors

    /// Whether a reading with contact is none of the person: a sensor that hangs loose, a value that never changes. What is
    /// critical and stays the same is an emergency, never a fault.
    private mutating func isFaulty(
        _ value: Double, _ key: TrackKey, _ time: Timestamp, _ at: Timestamp, _ rule: VitalRule?, _ wearer: Wearer
    ) -> Bool {
        if tracks[key]?.contact.isLoose(at: time) == true { return true }
        let isCritical = rule?.limits.isCritical(value) ?? false
        if rule != nil, let flat = SteadyValue.durationMax(of: key.type), wearer.thresholds?.hasPacemaker != true {
            var track = tracks[key] ?? VitalTrack(pace: Pace(key.type))
            let steady = track.steady?.following(value, at: time) ?? SteadyValue(value, at: time)
            track.steady = steady
            tracks[key] = track
            if steady.isFlat(for: flat), !isCritical { return true }
        }
        guard key.type == .bodyTemperature, let low = rule?.limits.low, value <= low.value + LooseThermometer.warmMargin
        else { return false }
        return thermometer.isLoose(
            value, limit: low.value, isCritical: isCritical, at: at,
            lost: tracks[key]?.lost.map(ofDatabase(key.source)), period: tracks[key]?.period)
    }

    private func ofDatabase(_ source: UUID) -> (VitalTrack.Run) -> VitalTrack.Run {
        { run in
            var run = run
            run.first = corrected(run.first, source)
            run.last = corrected(run.last, source)
            return run
        }
    }

    /// Whether something casts doubt on a reading; `nil` when it says nothing of the person: a pulse that is the rhythm of the
    /// movement, a saturation while the wrist moves.
    private func doubt(
        _ sample: Observation.Vital, _ rule: VitalRule, _ at: Timestamp, _ seen: Observation,
        _ told: UploadCircumstances
    ) -> Bool? {
        let isUnrest = told.isUnrest(at: at) || circumstances.isUnrest(at: at)
        switch sample.type {
        case .heartRate:
            guard isUnrest, rule.limits.isHigh(sample.value) else { return isUnrest }
            let offset = clockOffsets[shaking.source ?? seen.source] ?? .zero
            let isCadence =
                ShakingWatch.isCadence(sample.value, at: min(sample.time, seen.sentAt), in: seen.shaking)
                || shaking.isCadence(sample.value, at: at, offset: offset)
            return isCadence ? nil : true
        // Motion lowers a saturation for as long as it lasts, whatever the blood has; breath is not to be told from it.
        case .oxygenSaturation, .respirationRate: return isUnrest ? nil : false
        default: return false
        }
    }
}
