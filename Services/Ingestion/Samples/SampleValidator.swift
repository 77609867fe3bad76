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

    /// All series of a request, validated and ordered.
    static func validated(_ series: [UploadedSeries], clock: SampleClock) -> SampleValidator {
        var validator = SampleValidator(clock: clock)
        for (number, one) in series.enumerated() {
            switch one {
            case .readable(let series): validator.add(series, number: number)
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
        let type = series.type
        let unit = series.unit == type.unit.description ? nil : series.unit
        let column = batch.column(of: type)
        for index in values.indices {
            do {
                let duration = series.durations?[index] ?? 0
                let sample = try Measurement(
                    type: type, time: series.time(index), duration: .milliseconds(duration), value: values[index],
                    unit: unit, clock: clock)
                batch.append(
                    column: column, time: sample.time.milliseconds, duration: duration,
                    value: type.scaled(sample.value), contact: series.contact?[index], zone: series.zoneOffset.column)
            } catch { refuse(number, index, error) }
        }
    }

    private mutating func addPositions(_ series: SampleSeries, _ number: Int) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        for index in latitudes.indices {
            do {
                let fix = try PositionFix(
                    time: series.time(index), latitude: latitudes[index], longitude: longitudes[index],
                    altitude: series.altitudes.flatMap { $0[index] }, accuracy: series.accuracies.flatMap { $0[index] },
                    zoneOffset: series.zoneOffset, clock: clock)
                batch.positions.append(fix)
            } catch { refuse(number, index, error) }
        }
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
