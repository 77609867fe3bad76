import Domain
import Primitives

/// Recorded points, laps and sessions.
extension FITImporter {
    private static let degreesPerSemicircle = 180 / 2_147_483_648.0

    func readRecord(_ message: FITMessage) {
        guard !file.isPlan else {
            return collector.report.skip(
                nil, reason: "plan", explanation: "The file is a course or a workout: a plan, not a measurement.",
                at: .byte(message.place))
        }
        let span = span(message.time)
        let place = ImportReport.Place.byte(message.place)
        if let latitude = message.number(0), let longitude = message.number(1) {
            collector.addPosition(
                latitude * Self.degreesPerSemicircle, longitude * Self.degreesPerSemicircle,
                altitude: message.number(78, scale: 5, offset: 500) ?? message.number(2, scale: 5, offset: 500),
                accuracy: message.number(31), span, at: place)
        }
        // 0 is what is written while the strap is not found.
        if let rate = message.number(3), rate > 0 { collector.add(.heartRate, rate, span, at: place) }
        if let rate = message.number(108, scale: 100) ?? message.number(99) {
            collector.add(.respirationRate, rate, span, at: place)
        }
        if let temperature = message.number(139, scale: 100) {
            collector.add(.bodyTemperature, temperature, span, at: place)
        }
        addDistance(message, span)
    }

    /// Points tell the distance since the start; each sample is the increase, so that they add up to the whole.
    private func addDistance(_ message: FITMessage, _ span: ImportCollector.Span) {
        guard let metres = message.number(5, scale: 100), DataType.distance.plausible.contains(metres), span.time != nil
        else { return }
        let sum = DataType.distance.scaled(metres)
        var before = file.covered ?? (0, nil)
        file.covered = (sum, span.time)
        // Files of several sports begin anew with each.
        if sum < before.distance { before = (0, nil) }
        let change = sum - before.distance
        guard change > 0 else { return }
        file.distances.append(
            .init(place: message.place, span: span.since(before.time), metres: DataType.distance.value(scaled: change)))
    }

    func readSection(_ message: FITMessage) {
        guard !file.isPlan else { return }
        let section = FITFile.Section(message)
        if message.global == 18 { file.sessions.append(section) } else { file.laps.append(section) }
    }

    /// Gives out sessions, laps and distances. They may stand in a file before the points or after them (Garmin's "summary
    /// first" and "summary last"), so that which belong together is known at its end.
    func finishActivity() {
        let sessions = FITSessions(file.sessions)
        for session in file.sessions[file.sessionsGiven...] {
            collector.add(.activity, session.activity.value, span(of: session), at: .byte(session.place))
            addEnergy(of: session)
        }
        // A session's energy is that of its laps.
        for lap in file.laps where sessions.session(at: lap.start)?.calories == nil { addEnergy(of: lap) }
        for distance in file.distances { add(distance, sessions.session(at: distance.span.time)?.activity.kind) }
        file.sessionsGiven = file.sessions.count
        file.laps = []
        file.distances = []
    }

    private func addEnergy(of section: FITFile.Section) {
        guard let calories = section.calories else { return }
        collector.add(.activeEnergy, calories, span(of: section), at: .byte(section.place))
    }

    private func span(of section: FITFile.Section) -> ImportCollector.Span {
        .init(section.start, duration: section.duration ?? .zero, zone: file.zone, isGiven: section.start != nil)
    }

    /// Takes a distance that was covered on foot; without a session (`nil`) nobody knows.
    private func add(_ distance: FITFile.Distance, _ kind: Activity.Kind?) {
        switch kind {
        case .running, .walking, .hiking:
            collector.add(.distance, distance.metres, distance.span, at: .byte(distance.place))
        case nil:
            collector.report.skip(
                .distance, reason: "no-session", explanation: "No session tells whether this was walked or run.",
                at: .byte(distance.place))
        default:
            collector.report.skip(
                .distance, reason: "not-on-foot", explanation: "Only distances walked or run are collected.",
                at: .byte(distance.place))
        }
    }
}
