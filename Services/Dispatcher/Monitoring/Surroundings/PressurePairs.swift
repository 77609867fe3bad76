import Domain
import Primitives

/// Systolic pressures that wait for their diastolic ones. A cuff may upload them one after the other; rules that ask for both
/// (SOS-03, `fixed-45-120`) take those together that were measured within 60 s.
struct PressurePairs: Sendable, Equatable {
    /// A systolic pressure belongs to a diastolic one that is at most so far away.
    static let distanceMax = Duration.seconds(60)
    /// Readings of one measurement are closer than this: no nearer one is to be waited for.
    static let sameMeasurement = Duration.seconds(5)
    private static let waitingMax = 4

    struct Waiting: Sendable, Equatable {
        var source: UUID
        /// By the source's clock …
        var time: Timestamp
        /// … and by the database's.
        var at: Timestamp
        var value: Double
    }

    struct Diastolic: Sendable, Equatable {
        var at: Timestamp
        var value: Double
    }

    /// The oldest first; few, and empty with rules that ask for no pair.
    private(set) var waiting: [Waiting] = []

    /// What a high systolic pressure means with the diastolic ones that are there: critical with one above the limit, else
    /// normal, or close to it; `nil` when it has to wait.
    static func level(at time: Timestamp, by known: [Diastolic], above limit: Double) -> VitalTrack.Level? {
        let nearest = known.min { distance($0.at, time) < distance($1.at, time) }
        guard let nearest, distance(nearest.at, time) <= distanceMax else { return nil }
        let level = level(of: nearest.value, above: limit)
        return level == .critical || distance(nearest.at, time) <= sameMeasurement ? level : nil
    }

    private static func level(of diastolic: Double, above limit: Double) -> VitalTrack.Level {
        if diastolic > limit { return .critical }
        return diastolic > limit - Margins(.bloodPressureDiastolic).recovery ? .near : .clear
    }

    mutating func wait(_ reading: Waiting) {
        guard !waiting.contains(where: { $0.source == reading.source && $0.time == reading.time }) else { return }
        waiting.append(reading)
        if waiting.count > Self.waitingMax { waiting.removeFirst() }
    }

    /// Takes out those that a diastolic pressure decides, with what they mean. Those that nothing can accompany any more are
    /// forgotten: they say nothing.
    mutating func decide(_ diastolic: Diastolic, above limit: Double) -> [(reading: Waiting, level: VitalTrack.Level)] {
        let decided = waiting.filter { Self.distance($0.at, diastolic.at) <= Self.distanceMax }
        waiting.removeAll { reading in
            decided.contains(reading) || diastolic.at - reading.at > Self.distanceMax
        }
        return decided.map { ($0, Self.level(of: diastolic.value, above: limit)) }
    }

    private static func distance(_ left: Timestamp, _ right: Timestamp) -> Duration {
        left < right ? right - left : left - right
    }
}

extension PressurePairs {
    func pack(into packer: inout Packer) {
        packer.add(waiting) { packer, reading in
            packer.add(source: reading.source)
            packer.add(reading.time)
            packer.add(reading.at)
            packer.add(reading.value)
        }
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        waiting = try unpacker.list { unpacker throws(PackingError) in
            let source = try unpacker.source()
            let (time, at) = (try unpacker.time(), try unpacker.time())
            return Waiting(source: source, time: time, at: at, value: try unpacker.decimal())
        }
    }
}
