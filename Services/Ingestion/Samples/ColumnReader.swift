/// Reads what `ColumnWriter` wrote. Every length is checked, so that any input is safe.
struct ColumnReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    /// The bytes must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(SampleCodecError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func varint() throws(SampleCodecError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw .malformed("a number of more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func zigzag() throws(SampleCodecError) -> Int64 { Zigzag.decode(try varint()) }

    /// A count that is at most `max`.
    mutating func count(max: Int) throws(SampleCodecError) -> Int {
        let value = try varint()
        guard value <= UInt64(max) else { throw .malformed("a count of \(value), more than \(max)") }
        return Int(value)
    }

    /// `count` numbers as `ColumnWriter.sparse` writes them, each handed to `use`.
    @inline(__always)
    mutating func sparse(_ count: Int, _ use: (Int64) -> Void) throws(SampleCodecError) {
        var left = count
        while left > 0 {
            let value = try varint()
            if value != 0 {
                use(Zigzag.decode(value))
                left -= 1
                continue
            }
            let run = try self.count(max: left - 1) + 1
            for _ in 0..<run { use(0) }
            left -= run
        }
    }
}
