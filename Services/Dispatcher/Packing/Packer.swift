import Domain
import Primitives

/// What has a compact form.
protocol Packable {
    func pack(into packer: inout Packer)
    init(from unpacker: inout Unpacker) throws(PackingError)
}

/// Writes compact forms: small numbers in few bytes, times as what lies between them, sources once.
///
/// | what | how |
/// |---|---|
/// | number | seven bits a byte, the lowest first; signed ones by turns (0, −1, 1, −2 …) |
/// | time | from the time written before it: in ms where that is exact, else in µs, else its eight bytes; 3 for none |
/// | decimal | an integer and its power of ten where that is exact, else its eight bytes |
/// | source | its place among those that came before, or the next place and its sixteen bytes |
/// | text | the number of its bytes, and its UTF-8; of one that may be missing that number and one, or zero |
/// | list | the number of its entries, and they |
struct Packer {
    /// Powers of ten that decimals are tried with; the eighth kind is the number as it is.
    static let scales: [Double] = [1, 10, 100, 1e3, 1e5, 1e6, 1e7]
    static let unscaled: UInt64 = 7

    private(set) var bytes: [UInt8] = []
    private var lastTime: Int64 = 0
    private var lastScale = 0
    private var sources: [UUID] = []

    init(bytesExpected: Int) {
        bytes.reserveCapacity(bytesExpected)
    }

    mutating func add(byte: UInt8) { bytes.append(byte) }

    mutating func add(count: Int) { add(number: UInt64(count)) }

    mutating func add(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func add(signed number: Int64) { add(number: Self.folded(number)) }

    mutating func add(raw bits: UInt64) { add(raw: bits, bytes: 8) }

    mutating func add(_ number: Float) { add(raw: UInt64(number.bitPattern), bytes: 4) }

    private mutating func add(raw bits: UInt64, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))) }
    }

    mutating func add(_ time: Timestamp) {
        let (distance, overflows) = time.microseconds.subtractingReportingOverflow(lastTime)
        lastTime = time.microseconds
        if overflows || distance.magnitude >= 1 << 60 {
            add(number: 2)
            add(raw: UInt64(bitPattern: time.microseconds))
        } else if distance % 1000 == 0 {
            add(number: Self.folded(distance / 1000) << 2)
        } else {
            add(number: Self.folded(distance) << 2 | 1)
        }
    }

    /// A time that may be missing.
    mutating func add(optional time: Timestamp?) {
        if let time { add(time) } else { add(number: 3) }
    }

    /// The next time is written from here.
    mutating func move(to time: Timestamp) { lastTime = time.microseconds }

    mutating func add(_ duration: Duration) { add(signed: duration.microseconds) }

    mutating func add(_ value: Double) {
        // Nearly always as the one before.
        if let integer = Self.integer(value, lastScale) { return add(integer, lastScale) }
        for scale in Self.scales.indices where scale != lastScale {
            guard let integer = Self.integer(value, scale) else { continue }
            lastScale = scale
            return add(integer, scale)
        }
        add(number: Self.unscaled)
        add(raw: value.bitPattern)
    }

    private mutating func add(_ integer: Int64, _ scale: Int) {
        add(number: Self.folded(integer) << 3 | UInt64(scale))
    }

    private static func integer(_ value: Double, _ scale: Int) -> Int64? {
        let whole = (value * scales[scale]).rounded()
        guard whole.magnitude < 1e15, whole != 0 || value.sign == .plus,
            (whole / scales[scale]).bitPattern == value.bitPattern
        else { return nil }
        return Int64(whole)
    }

    private static func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

    mutating func add(source: UUID) {
        if let index = sources.firstIndex(of: source) { return add(count: index) }
        add(count: sources.count)
        add(raw: source.high)
        add(raw: source.low)
        sources.append(source)
    }

    mutating func add(_ type: DataType) { add(byte: type.rawValue) }

    mutating func add(_ date: CalendarDate) { add(signed: Int64(date.daysSinceEpoch)) }

    mutating func add(_ text: String) {
        add(count: text.utf8.count)
        bytes += text.utf8
    }

    mutating func add(optional text: String?) {
        add(count: text.map { $0.utf8.count + 1 } ?? 0)
        bytes += (text ?? "").utf8
    }

    mutating func add<Entry>(_ entries: [Entry], _ pack: (inout Packer, Entry) -> Void) {
        add(count: entries.count)
        for entry in entries { pack(&self, entry) }
    }
}
