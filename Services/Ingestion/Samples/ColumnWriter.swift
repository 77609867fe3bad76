/// Writes integers in the forms of the sample format (`SampleCodec`).
struct ColumnWriter {
    private(set) var bytes: [UInt8] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// LEB128: seven bits a byte, the least significant first, the top bit set on all but the last.
    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number with a sign: 0, -1, 1, -2, … as 0, 1, 2, 3, …
    mutating func zigzag(_ number: Int64) { varint(Zigzag.encode(number)) }

    /// Numbers of which many are 0: one that is not, in zigzag; a run of zeros as 0 and its length less one.
    mutating func sparse(_ numbers: some Sequence<Int64>) {
        var zeros: UInt64 = 0
        for number in numbers {
            if number == 0 {
                zeros += 1
                continue
            }
            endRun(&zeros)
            zigzag(number)
        }
        endRun(&zeros)
    }

    private mutating func endRun(_ zeros: inout UInt64) {
        guard zeros > 0 else { return }
        byte(0)
        varint(zeros - 1)
        zeros = 0
    }
}
