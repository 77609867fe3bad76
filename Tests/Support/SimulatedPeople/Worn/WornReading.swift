public import Contracts
public import Domain
public import Primitives

/// What a watch gives of one moment.
public struct WornReading: Sendable, Equatable {
    /// Milliseconds after the local midnight.
    public var offset: Int64
    /// `nil`: no reading.
    public var heartRate: Double?
    public var saturation: Double?
    public var breaths: Double?
    public var temperature: Double?
    public var systolic: Double?
    public var hasContact = true
    /// Root mean square of the acceleration, m/s².
    public var motion = 0.1
    /// In Hz and parts of gravity.
    public var frequency = 0.5
    public var amplitude = 0.02
    public var activity: Activity?
    public var isAsleep = false

    public init(offset: Int64) { self.offset = offset }
}

/// A day's readings of a watch that is worn while AutomatedSOS watches: each half minute while all is calm, each second about
/// everything that is not.
public struct WornDay: Sendable {
    public let midnight: Timestamp
    public let tells: ArtefactModel.Tells
    public internal(set) var readings: [WornReading] = []

    init(midnight: Timestamp, tells: ArtefactModel.Tells) {
        self.midnight = midnight
        self.tells = tells
    }

    /// Uploads as the device sends them, of at most `count` readings each and never more than a few seconds of time.
    public func uploads(of count: Int, account: UUID, device: UUID) -> [Ingestion.LiveSamples] {
        var uploads: [Ingestion.LiveSamples] = []
        var begin = 0
        while begin < readings.count {
            var end = begin + 1
            while end < readings.count, end - begin < count, readings[end].offset - readings[begin].offset < 10_000 {
                end += 1
            }
            uploads.append(Self.upload(readings[begin..<end], midnight, tells, account, device))
            begin = end
        }
        return uploads
    }

    /// One upload of these readings.
    public static func upload(
        _ readings: ArraySlice<WornReading>, _ midnight: Timestamp, _ tells: ArtefactModel.Tells, _ account: UUID,
        _ device: UUID
    ) -> Ingestion.LiveSamples {
        var series: [SampleSeries] = []
        func add(_ type: DataType, isMeasured: Bool, _ value: (WornReading) -> Double?) {
            var own = SampleSeries(type: type, start: midnight, offsets: [], values: [])
            var contact: [Bool] = []
            for reading in readings {
                guard let value = value(reading) else { continue }
                // Who does not tell contact reads zero without it.
                let shown = isMeasured && !reading.hasContact && !tells.contains(.contact) ? 0 : value
                own.append(shown, at: reading.offset)
                contact.append(reading.hasContact)
            }
            guard own.count > 0 else { return }
            if isMeasured, tells.contains(.contact) { own.contact = contact }
            series.append(own)
        }
        add(.heartRate, isMeasured: true) { $0.heartRate }
        add(.oxygenSaturation, isMeasured: true) { $0.saturation }
        add(.respirationRate, isMeasured: true) { $0.breaths }
        add(.bodyTemperature, isMeasured: false) { $0.temperature }
        add(.bloodPressureSystolic, isMeasured: false) { $0.systolic }
        add(.activity, isMeasured: false) { $0.activity?.value }
        if tells.contains(.motion) { add(.motion, isMeasured: false) { $0.motion } }
        if tells.contains(.shaking) {
            add(.shakingFrequency, isMeasured: false) { $0.frequency }
            add(.shakingAmplitude, isMeasured: false) { $0.amplitude }
        }
        let asleep = readings.filter(\.isAsleep)
        if tells.contains(.sleep), !asleep.isEmpty {
            series.append(
                SampleSeries(
                    type: .sleep, start: midnight, offsets: asleep.map { $0.offset - 30_000 },
                    durations: asleep.map { _ in 30_000 }, values: asleep.map { _ in 0.5 }))
        }
        let sentAt = midnight.adding(milliseconds: readings.last?.offset ?? 0)
        return Ingestion.LiveSamples(
            accountID: account, deviceID: device, receivedAt: sentAt, sentAt: sentAt, series: series)
    }
}
