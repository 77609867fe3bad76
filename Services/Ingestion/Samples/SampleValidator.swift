import Contracts
import Domain
import Primitives

/// One sample, or one whole series, that was not taken (ING-02).
struct RefusedSample: Equatable, Sendable, Encodable {
    /// Which series of the request, from 0.
    let series: Int
    /// Which sample of it, from 0; `nil` for all of it.
    let index: Int?
    /// In kebab case.
    let reason: String
    let explanation: String
}

/// Validates samples one by one and collects the valid ones, in canonical units (ING-01, ING-02).
struct SampleValidator {
    /// Refusals that are listed; further ones are only counted.
    static let refusedMax = 1000

    let clock: SampleClock
    private(set) var batch = SampleBatch()
    private(set) var refused: [RefusedSample] = []
    private(set) var refusedCount = 0
    /// Whether a sample was refused for its time only.
    private(set) var refusedTimes = false

    init(clock: SampleClock) {
        self.clock = clock
    }

    /// All series of a request, validated and ordered. `correction` is added to their times before.
    static func validated(
        _ series: [UploadedSeries], clock: SampleClock, correction: Duration = .zero
    ) -> SampleValidator {
        var validator = SampleValidator(clock: clock)
        for (number, one) in series.enumerated() {
            switch one {
            case .read(let sent):
                guard correction != .zero else { validator.add(sent.series, number: number); continue }
                var series = sent.series
                series.start = series.start + correction
                validator.add(series, number: number)
            case .unreadable(_, let explanation):
                validator.refuse(number, nil, reason: "form", explanation, count: 1)
            }
        }
        validator.batch.normalize()
        return validator
    }

    mutating func add(_ series: SampleSeries, number: Int) {
        if let error = series.shapeError {
            return refuse(number, nil, reason: "shape", "\(error).", count: max(1, series.count))
        }
        if series.type == .position { addPositions(series, number) } else { addValues(series, number) }
    }

    private mutating func addValues(_ series: SampleSeries, _ number: Int) {
        guard let values = series.values, !values.isEmpty else { return }
        let unit = series.unit == series.type.unit.description ? nil : series.unit
        let check = SampleCheck(series, clock: clock)
        let valueCheck = ValueCheck(series.type, unit: unit)
        var (times, scaled): ([Int64], [Int64]) = ([], [])
        times.reserveCapacity(values.count)
        scaled.reserveCapacity(values.count)
        // Those that are taken, when some are not.
        var taken: [Int]?
        for index in values.indices {
            if let check, let valueCheck, let value = valueCheck.scaled(values[index]),
                let time = check.time(series.offsets[index], lasting: series.durations?[index] ?? 0)
            {
                times.append(time)
                scaled.append(value)
            } else if let sample = judged(series, index, unit, number) {
                times.append(sample.time.milliseconds)
                scaled.append(series.type.scaled(sample.value))
            } else {
                if taken == nil { taken = Array(0..<index) }
                continue
            }
            taken?.append(index)
        }
        guard !times.isEmpty else { return }
        batch.append(
            ValueColumn(
                type: series.type, times: times, durations: Self.part(series.durations, taken), values: scaled,
                contacts: Self.part(series.contact, taken),
                zones: ZoneColumn(repeating: series.zoneOffset.column, count: times.count)))
    }

    private static func part<Element>(_ column: [Element]?, _ indices: [Int]?) -> [Element]? {
        guard let indices else { return column }
        return column.map { column in indices.map { column[$0] } }
    }

    /// The sample in its canonical unit; `nil` when it is refused.
    private mutating func judged(
        _ series: SampleSeries, _ index: Int, _ unit: String?, _ number: Int
    ) -> Measurement? {
        guard let value = series.values?[index], !value.isNaN else {
            refuseEmpty(number, index)
            return nil
        }
        do {
            return try Measurement(
                type: series.type, time: series.time(index), duration: .milliseconds(series.durations?[index] ?? 0),
                value: value, unit: unit, clock: clock)
        } catch {
            refuse(number, index, error)
            return nil
        }
    }

    private mutating func addPositions(_ series: SampleSeries, _ number: Int) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        let check = SampleCheck(series, clock: clock)
        let zone = series.zoneOffset.column
        for index in latitudes.indices {
            let (altitude, accuracy) = (
                series.altitudes.flatMap { $0[index] }, series.accuracies.flatMap { $0[index] }
            )
            if let time = check?.time(series.offsets[index]),
                PositionCheck.passes(latitudes[index], longitudes[index], altitude, accuracy)
            {
                batch.positions.append(
                    time: time, latitude: latitudes[index], longitude: longitudes[index], altitude: altitude,
                    accuracy: accuracy, zone: zone)
                continue
            }
            guard !latitudes[index].isNaN, !longitudes[index].isNaN else { refuseEmpty(number, index); continue }
            do {
                let fix = try PositionFix(
                    time: series.time(index), latitude: latitudes[index], longitude: longitudes[index],
                    altitude: altitude, accuracy: accuracy, zoneOffset: series.zoneOffset, clock: clock)
                batch.positions.append(fix)
            } catch { refuse(number, index, error) }
        }
    }

    /// What was sent as `null` (`UploadedSeries.noNumber`).
    private mutating func refuseEmpty(_ series: Int, _ index: Int) {
        refuse(series, index, reason: "no-value", "The sample has no value.", count: 1)
    }

    private mutating func refuse(_ series: Int, _ index: Int, _ error: SampleError) {
        switch error {
        case .future, .clockNeverSet: refusedTimes = true
        default: break
        }
        refuse(series, index, reason: error.reason, error.description, count: 1)
    }

    private mutating func refuse(
        _ series: Int, _ index: Int?, reason: String, _ explanation: String, count: Int
    ) {
        refusedCount += count
        guard refused.count < Self.refusedMax else { return }
        refused.append(RefusedSample(series: series, index: index, reason: reason, explanation: explanation))
    }
}
