import Domain
import Primitives

/// How long a critical state has to last before it is an emergency (SOS-04c), by what sensors of its kind can give: a pulse
/// comes every second, the reading of a cuff every quarter of an hour.
enum Pace: UInt8, Sendable, CaseIterable {
    /// Readings that come by themselves, up to five a second: heart, breath, saturation.
    case continuous
    /// What a device measures on demand, each reading an act of its own: pressure, temperature. Where such a sensor gives
    /// readings at least every `slowPeriod`, it is judged as a continuous one.
    case measured
    /// One reading each 1 to 15 minutes from under the skin, or a drop of blood when the person thinks of it.
    case glucose
    /// States that matter by their length alone.
    case sustained

    /// A sensor with at least so much time between its readings repeats a measurement instead of going on measuring.
    static let slowPeriod = Duration.seconds(20)
    /// Pulses that something casts doubt on (motion, a sensor that slipped) have to last so long: longer than a burst of
    /// artefacts, shorter than any emergency that has to be found (30 s).
    static let doubtfulMin = Duration.seconds(25)

    init(_ type: DataType) {
        self =
            switch type {
            case .bloodPressureSystolic, .bloodPressureDiastolic, .bodyTemperature: .measured
            case .glucose: .glucose
            case .stressLevel: .sustained
            default: .continuous
            }
    }

    /// What a run of critical samples needs.
    struct Lasting: Sendable, Equatable {
        var samplesMin: Int
        var durationMin: Duration
        /// A gap between samples is longer than twice the sampling period and than this.
        var gapMin: Duration
        /// After an emergency the state counts as gone after so many clearly normal samples in a row …
        var recoverySamples: Int
        /// … over so long.
        var recoveryMin: Duration
    }

    /// `period`: the time between the sensor's readings, when it is known.
    func lasting(period: Duration?) -> Lasting {
        switch self {
        case .continuous: Self.threeSeconds
        // A single high or low reading of a cuff is repeated after a minute or two (Stergiou and others, 2021 European
        // Society of Hypertension practice guidelines for office and out-of-office blood pressure measurement, J Hypertens
        // 39:1293): two in a row are an emergency, also when the device takes half an hour between them.
        case .measured where period.map({ $0 >= Self.slowPeriod }) ?? false:
            Lasting(
                samplesMin: 2, durationMin: .seconds(30), gapMin: .seconds(35 * 60), recoverySamples: 1,
                recoveryMin: .zero)
        case .measured: Self.threeSeconds
        // An event of level 2 is at least 15 minutes below 54 mg/dL (Danne and others, International Consensus on Use of
        // Continuous Glucose Monitoring, Diabetes Care 2017, 40:1631).
        case .glucose:
            Lasting(
                samplesMin: 2, durationMin: .seconds(15 * 60), gapMin: .seconds(20 * 60), recoverySamples: 2,
                recoveryMin: .seconds(10 * 60))
        case .sustained:
            Lasting(
                samplesMin: 3, durationMin: .seconds(15 * 60), gapMin: .seconds(5 * 60), recoverySamples: 3,
                recoveryMin: .seconds(3))
        }
    }

    /// Readings without contact that are not further apart are one loss of the sensor.
    var lostGapMin: Duration { self == .measured ? .seconds(600) : .zero }

    /// SOS-04: three samples over three seconds.
    static let threeSeconds = Lasting(
        samplesMin: 3, durationMin: .seconds(3), gapMin: .seconds(2), recoverySamples: 3, recoveryMin: .seconds(3))
}
