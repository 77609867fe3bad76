public import Contracts
import Domain
public import Primitives

/// Histories of some days.
extension SimulatedWearer {
    /// What a watch keeps that measures little, about 20 samples a day: heart rates, the night's sleep, steps of four hours, one
    /// saturation. With `positions` some of where the person was, too, about 40 a day.
    public func sparseHistory(_ days: [CalendarDate], positions: Bool) -> [SampleSeries] {
        SampleSeries.joined(days.flatMap { sparseDay($0, positions: positions) })
    }

    private func sparseDay(_ day: CalendarDate, positions: Bool) -> [SampleSeries] {
        let (plan, midnight) = (self.plan(day), ItalianTime.midnight(day))
        var series: [SampleSeries] = vitals(day, plan, .sparse, midnight).compactMap {
            switch $0.type {
            case .heartRate: $0
            case .oxygenSaturation: $0.first(1)
            default: nil
            }
        }
        series += movement(day, plan, .sparse, midnight).filter { $0.type == .steps }
        series.append(sleep(day, plan, midnight))
        if positions {
            var generator = self.generator(day, .phone)
            series.append(self.positions(plan, .sparse, midnight, using: &generator))
        }
        return series
    }
}

extension SimulatedDay {
    /// What was measured and over before a time.
    public func before(_ time: Timestamp) -> SimulatedDay { over { $0 < time } }

    /// What was over in a span of time.
    public func during(_ span: Range<Timestamp>) -> SimulatedDay { over { span.contains($0) } }

    /// The samples whose ends are such times.
    private func over(_ isWanted: (Timestamp) -> Bool) -> SimulatedDay {
        func cut(_ series: [SampleSeries]) -> [SampleSeries] {
            series.map { one in
                one.keeping { isWanted(one.time($0) + .milliseconds(one.durations?[$0] ?? 0)) }
            }.filter { $0.count > 0 }
        }
        return SimulatedDay(watch: cut(watch), phone: cut(phone))
    }
}

extension SampleSeries {
    /// As few series as can be: one for each type and offset from UTC, in the order in which they first occur. Those of a type
    /// have the same columns.
    static func joined(_ parts: [SampleSeries]) -> [SampleSeries] {
        var all: [SampleSeries] = []
        for part in parts where part.count > 0 {
            if let index = all.firstIndex(where: { $0.type == part.type && $0.zoneOffset == part.zoneOffset }) {
                all[index].append(part)
            } else {
                all.append(part)
            }
        }
        return all
    }

    private mutating func append(_ other: SampleSeries) {
        let later = (other.start - start).milliseconds
        offsets += other.offsets.map { $0 + later }
        durations? += other.durations ?? []
        values? += other.values ?? []
        contact? += other.contact ?? []
        latitudes? += other.latitudes ?? []
        longitudes? += other.longitudes ?? []
        accuracies? += other.accuracies ?? []
    }

    fileprivate func first(_ count: Int) -> SampleSeries { keeping { $0 < count } }

    /// The samples at those indices of which it holds.
    fileprivate func keeping(_ holds: (Int) -> Bool) -> SampleSeries {
        let kept = offsets.indices.filter(holds)
        guard kept.count < count else { return self }
        func picked<Value>(_ column: [Value]?) -> [Value]? { column.map { column in kept.map { column[$0] } } }
        var series = self
        series.offsets = kept.map { offsets[$0] }
        series.durations = picked(durations)
        series.values = picked(values)
        series.contact = picked(contact)
        (series.latitudes, series.longitudes) = (picked(latitudes), picked(longitudes))
        series.accuracies = picked(accuracies)
        return series
    }
}
