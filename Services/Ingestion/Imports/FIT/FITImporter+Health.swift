import Domain
import Primitives

/// Monitoring of whole days, sleep, and single values.
extension FITImporter {
    /// A level of sleep is taken to last until the next, unless that is further away.
    private static let sleepLevelMax = Duration.seconds(4 * 3600)

    func readHealth(_ message: FITMessage) {
        let span = span(message.time)
        let place = ImportReport.Place.byte(message.place)
        switch message.global {
        case 103:
            if let zone = FITFile.zone(local: message.time(0), at: message.time) { file.zone = zone }
            file.monitoringTime = message.time
            if let local = message.time(0), local % 86_400 == 0, let time = span.time {
                file.midnight = time
                file.totals = [:]
            }
        case 55: readMonitoring(message)
        case 30: if let weight = message.number(0, scale: 100) { collector.add(.weight, weight, span, at: place) }
        case 51:
            if let pressure = message.number(0) { collector.add(.bloodPressureSystolic, pressure, span, at: place) }
            if let pressure = message.number(1) { collector.add(.bloodPressureDiastolic, pressure, span, at: place) }
            if let rate = message.number(6) { collector.add(.heartRate, rate, span, at: place) }
        case 227:
            // Below 0: not measured, while moving or not worn.
            if let level = message.number(0), level >= 0 {
                collector.add(.stressLevel, level, self.span(message.time(1)), at: place)
            }
        case 269: if let value = message.number(0) { collector.add(.oxygenSaturation, value, span, at: place) }
        case 275: readSleepLevel(message)
        case 297:
            if let rate = message.number(0, scale: 100), rate > 0 {
                collector.add(.respirationRate, rate, span, at: place)
            }
        case 78:
            collector.report.skip(
                nil, reason: "not-collected-heart-rate-variability",
                explanation: "Heart rate variability is not collected.", at: place)
        default: break
        }
    }

    /// Light, deep and REM sleep.
    private func readSleepLevel(_ message: FITMessage) {
        guard let time = message.time.flatMap(FITFile.timestamp) else { return }
        if let (start, place) = file.asleepSince, start < time, time - start <= Self.sleepLevelMax {
            let duration = time - start
            collector.add(
                .sleep, Double(duration.milliseconds) / 60_000, .init(start, duration: duration, zone: file.zone),
                at: .byte(place))
        }
        let isAsleep = message.integer(0).map { (2...4).contains($0) } ?? false
        file.asleepSince = isAsleep ? (time, message.place) : nil
    }

    // MARK: Monitoring

    private func readMonitoring(_ message: FITMessage) {
        let span = span(monitoringTime(of: message))
        if let rate = message.number(27), rate > 0 {
            collector.add(.heartRate, rate, span, at: .byte(message.place))
        }
        guard let kind = message.integer(5) ?? message.integer(24).map({ $0 & 0x1F }) else { return }
        var totals = file.totals[kind] ?? FITTotals()
        // Steps while walking or running; of other activities cycles of something else.
        if kind == 1 || kind == 6 {
            totals.steps = add(.steps, message.integer(3), since: totals.steps, span, message)
            totals.distance = add(
                .distance, message.integer(2), perUnit: 100, since: totals.distance, span, message)
        }
        totals.calories = add(.activeEnergy, message.integer(19), since: totals.calories, span, message)
        file.totals[kind] = totals
    }

    /// Adds what a total has grown by since it was told last, or since midnight when the file begins there. Else the first one
    /// only tells where counting begins: a file before this one holds what it counts. Returns the last total.
    private func add(
        _ type: DataType, _ total: Int64?, perUnit: Double = 1, since before: FITTotals.Total?,
        _ span: ImportCollector.Span, _ message: FITMessage
    ) -> FITTotals.Total? {
        guard let total else { return before }
        let place = ImportReport.Place.byte(message.place)
        if let start = before ?? file.midnight.map({ FITTotals.Total(value: 0, time: $0) }) {
            // Counting begins anew at midnight.
            let change = total < start.value ? total : total - start.value
            if change > 0 { collector.add(type, Double(change) / perUnit, span.since(start.time), at: place) }
        } else if total > 0 {
            collector.report.skip(
                type, reason: "first-total",
                explanation: "This is the first total of a file that does not begin at midnight: since when it counts, "
                    + "is not known.", at: place)
        }
        return FITTotals.Total(value: total, time: span.time)
    }

    /// In full, or the lowest 16 bits of it.
    private func monitoringTime(of message: FITMessage) -> UInt32? {
        if let time = message.time(253) {
            file.monitoringTime = time
        } else if let low = message.integer(26), let last = file.monitoringTime {
            file.monitoringTime = last &+ (UInt32(low) &- last) & 0xFFFF
        }
        return file.monitoringTime
    }
}
