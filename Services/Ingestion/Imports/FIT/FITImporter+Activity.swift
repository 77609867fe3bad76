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
        let before = file.covered ?? (0, nil)
        file.covered = (sum, span.time)
        // Files of several sports begin anew with each.
        let change = sum < before.distance ? sum : sum - before.distance
        guard change > 0 else { return }
        file.distances.append(
            .init(place: message.place, span: span.since(before.time), metres: DataType.distance.value(scaled: change)))
    }

    func readSession(_ message: FITMessage) {
        guard !file.isPlan else { return }
        let session = FITFile.Section(message)
        add(session.activity, of: session)
        if session.calories != nil {
            addEnergy(of: session)
            file.laps = []
        } else {
            addLaps()
        }
        addDistances(of: session)
    }

    /// What no session has told of, as in a file that was cut.
    func finishActivity() {
        addLaps()
        addDistances(of: nil)
    }

    func addLaps() {
        for lap in file.laps { addEnergy(of: lap) }
        file.laps = []
    }

    private func add(_ activity: Activity, of section: FITFile.Section) {
        collector.add(.activity, activity.value, span(of: section), at: .byte(section.place))
    }

    private func addEnergy(of section: FITFile.Section) {
        guard let calories = section.calories else { return }
        collector.add(.activeEnergy, calories, span(of: section), at: .byte(section.place))
    }

    private func span(of section: FITFile.Section) -> ImportCollector.Span {
        .init(section.start, duration: section.duration ?? .zero, zone: file.zone, isGiven: section.start != nil)
    }

    /// Takes the distances within a session if it was on foot; without one (`nil`) nobody knows.
    func addDistances(of session: FITFile.Section?) {
        // Sessions of several sports may all stand at the end of the file, each with its own.
        let end = session?.end ?? session?.start.flatMap { start in session?.duration.map { start + $0 } }
        let count = end.map { end in file.distances.prefix { $0.span.time.map { $0 < end } ?? true }.count }
        let kind = session?.activity.kind
        for distance in file.distances.prefix(count ?? file.distances.count) {
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
        file.distances.removeFirst(count ?? file.distances.count)
    }
}
