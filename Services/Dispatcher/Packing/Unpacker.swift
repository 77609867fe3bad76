import Domain
import Primitives

/// What is no compact form, or one of a later version.
enum PackingError: Error, Equatable {
    case version(UInt8)
    case truncated
    case value
    case excess
}

/// Reads what a `Packer` has written. Whatever the bytes are, nothing is read beyond them, and no more is made than they can hold.
struct Unpacker {
    private let bytes: [UInt8]
    private var position = 0
    private var lastTime: Int64 = 0
    private var sources: [UUID] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Call at the end.
    func finish() throws(PackingError) {
        guard position == bytes.count else { throw .excess }
    }

    mutating func byte() throws(PackingError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(PackingError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw .value }
            number |= UInt64(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else { return number }
            shift += 7
        }
    }

    /// Of what takes at least a byte each.
    mutating func count() throws(PackingError) -> Int {
        guard let count = Int(exactly: try number()), count <= bytes.count - position else { throw .value }
        return count
    }

    /// Of what was counted.
    mutating func tally() throws(PackingError) -> Int {
        guard let count = Int(exactly: try number()) else { throw .value }
        return count
    }

    mutating func signed() throws(PackingError) -> Int64 { Self.unfolded(try number()) }

    mutating func raw(bytes count: Int = 8) throws(PackingError) -> UInt64 {
        guard count <= bytes.count - position else { throw .truncated }
        var bits: UInt64 = 0
        for index in 0..<count { bits |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        position += count
        return bits
    }

    mutating func float() throws(PackingError) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: try raw(bytes: 4)))
    }

    mutating func time() throws(PackingError) -> Timestamp {
        guard let time = try optionalTime() else { throw .value }
        return time
    }

    mutating func optionalTime() throws(PackingError) -> Timestamp? {
        let word = try number()
        switch word & 3 {
        case 0: lastTime = try sum(Self.unfolded(word >> 2), times: 1000)
        case 1: lastTime = try sum(Self.unfolded(word >> 2), times: 1)
        case 2: lastTime = Int64(bitPattern: try raw())
        default: return nil
        }
        return Timestamp(microseconds: lastTime)
    }

    private func sum(_ distance: Int64, times unit: Int64) throws(PackingError) -> Int64 {
        let (whole, isTooFar) = distance.multipliedReportingOverflow(by: unit)
        let (sum, overflows) = lastTime.addingReportingOverflow(whole)
        guard !isTooFar, !overflows else { throw .value }
        return sum
    }

    mutating func move(to time: Timestamp) { lastTime = time.microseconds }

    mutating func duration() throws(PackingError) -> Duration { .microseconds(try signed()) }

    mutating func decimal() throws(PackingError) -> Double {
        let word = try number()
        guard word & 7 != Packer.unscaled else { return Double(bitPattern: try raw()) }
        return Double(Self.unfolded(word >> 3)) / Packer.scales[Int(word & 7)]
    }

    private static func unfolded(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func source() throws(PackingError) -> UUID {
        let index = try tally()
        if index < sources.count { return sources[index] }
        guard index == sources.count else { throw .value }
        let source = UUID(high: try raw(), low: try raw())
        sources.append(source)
        return source
    }

    mutating func type() throws(PackingError) -> DataType {
        guard let type = DataType(rawValue: try byte()) else { throw .value }
        return type
    }

    // MARK: Dates, texts, lists

    mutating func date() throws(PackingError) -> CalendarDate {
        guard let days = Int32(exactly: try signed()) else { throw .value }
        return CalendarDate(daysSinceEpoch: days)
    }

    mutating func text() throws(PackingError) -> String { try text(ofBytes: try tally()) }

    mutating func optionalText() throws(PackingError) -> String? {
        let mark = try tally()
        return mark == 0 ? nil : try text(ofBytes: mark - 1)
    }

    private mutating func text(ofBytes count: Int) throws(PackingError) -> String {
        guard count <= bytes.count - position else { throw .truncated }
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else { throw .value }
        position += count
        return text
    }

    mutating func validated<Value: LosslessStringConvertible>() throws(PackingError) -> Value {
        guard let value = Value(try text()) else { throw .value }
        return value
    }

    mutating func optionalValidated<Value: LosslessStringConvertible>() throws(PackingError) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = Value(text) else { throw .value }
        return value
    }

    mutating func list<Entry>(
        _ entry: (inout Unpacker) throws(PackingError) -> Entry
    ) throws(PackingError) -> [Entry] {
        let count = try count()
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count { entries.append(try entry(&self)) }
        return entries
    }
}
