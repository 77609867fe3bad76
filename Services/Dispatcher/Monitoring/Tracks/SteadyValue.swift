import Domain
import Primitives

/// A value that a sensor gives again and again without any change. A heart never beats for a quarter of an hour at the same
/// rate: the sensor, or the program that passes its readings on, stands still, and the monitor is blind (SOS-11).
struct SteadyValue: Sendable, Equatable {
    private(set) var value: Float
    private(set) var since: Timestamp
    private(set) var last: Timestamp
    private(set) var count: Int32 = 1

    /// So many readings at least: a slow device may well give the same value three times.
    static let countMin = 30
    /// A longer pause begins anew.
    private static let pauseMax = Duration.seconds(600)

    init(_ value: Double, at time: Timestamp) {
        self.value = Float(value)
        since = time
        last = time
    }

    /// After how long without any change the sensor of a type is taken to be faulty; `nil` where a value may stay for hours
    /// (a saturation of 98% in whole percents). Breath is told in whole numbers, and calm in sleep.
    static func durationMax(of type: DataType) -> Duration? {
        switch type {
        case .heartRate: .seconds(15 * 60)
        case .respirationRate: .seconds(3600)
        default: nil
        }
    }

    /// With another reading. One that is older than the last changes nothing.
    func following(_ reading: Double, at time: Timestamp) -> SteadyValue {
        guard time > last else { return self }
        guard Float(reading) == value, time - last <= Self.pauseMax else { return SteadyValue(reading, at: time) }
        var next = self
        next.last = time
        next.count = count == .max ? count : count + 1
        return next
    }

    func isFlat(for duration: Duration) -> Bool { Int(count) >= Self.countMin && last - since >= duration }
}

extension SteadyValue {
    func pack(into packer: inout Packer) {
        packer.add(Double(value))
        packer.add(since)
        packer.add(last)
        packer.add(count: Int(count))
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        self.init(try unpacker.decimal(), at: try unpacker.time())
        last = try unpacker.time()
        guard let count = Int32(exactly: try unpacker.tally()) else { throw .value }
        self.count = count
    }
}
