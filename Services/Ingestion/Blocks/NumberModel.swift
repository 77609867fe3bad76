/// Codes numbers of about the same size: by the mean of those before, the upper part of a number in adaptive unary, the two
/// bits below with learnt chances, the rest as they are (adaptive Golomb-Rice, with its parts in a range coder).
struct NumberModel {
    /// There are 64 sizes.
    private static let unaryMax = 20

    /// Sixteen times the mean size.
    private var sum: UInt64 = 0
    private var unary = InlineArray<1280, AdaptiveBit>(repeating: AdaptiveBit())
    private var upper = InlineArray<1024, AdaptiveBit>(repeating: AdaptiveBit())

    /// The mean of the numbers, the last ones counting more.
    var mean: UInt64 { sum >> 4 }

    /// How many lower bits a number of the mean size has.
    @inline(__always)
    private var size: Int { max(0, UInt64.bitWidth - 1 - mean.leadingZeroBitCount) }

    @inline(__always)
    private mutating func learn(_ number: UInt64) {
        sum = sum - sum >> 4 + min(number, mean << 3 + 16, 1 << 58)
    }

    mutating func encode(_ number: UInt64, _ encoder: inout RangeEncoder) {
        let size = size
        let quotient = number >> UInt64(size)
        let unaries = Int(min(quotient, UInt64(Self.unaryMax)))
        for place in 0..<unaries { encoder.encode(true, &unary[size * Self.unaryMax + place]) }
        if unaries < Self.unaryMax {
            encoder.encode(false, &unary[size * Self.unaryMax + unaries])
            encodeLower(number, size, unaries, &encoder)
        } else {
            let length = UInt64.bitWidth - number.leadingZeroBitCount
            encoder.encode(raw: UInt64(length - 1), count: 6)
            encoder.encode(raw: number, count: length - 1)
        }
        learn(number)
    }

    private mutating func encodeLower(_ number: UInt64, _ size: Int, _ unaries: Int, _ encoder: inout RangeEncoder) {
        let context = size * 16 + min(unaries, 3) * 4
        guard size > 0 else { return }
        let first = number >> UInt64(size - 1) & 1 == 1
        encoder.encode(first, &upper[context])
        guard size > 1 else { return }
        encoder.encode(number >> UInt64(size - 2) & 1 == 1, &upper[context + (first ? 2 : 1)])
        encoder.encode(raw: number, count: size - 2)
    }

    @inline(__always)
    mutating func decode(_ decoder: inout RangeDecoder) -> UInt64 {
        let size = size
        var unaries = 0
        while unaries < Self.unaryMax, decoder.decode(&unary[size * Self.unaryMax + unaries]) { unaries += 1 }
        var number: UInt64
        if unaries < Self.unaryMax {
            number = UInt64(unaries)
            let context = size * 16 + min(unaries, 3) * 4
            if size > 0 {
                let first = decoder.decode(&upper[context])
                number = number << 1 | (first ? 1 : 0)
                if size > 1 {
                    let second = decoder.decode(&upper[context + (first ? 2 : 1)])
                    number = number << 1 | (second ? 1 : 0)
                    number = number << UInt64(size - 2) | decoder.decode(raw: size - 2)
                }
            }
        } else {
            let length = decoder.decode(raw: 6)
            number = 1 << length | decoder.decode(raw: Int(length))
        }
        learn(number)
        return number
    }

    mutating func encode(signed number: Int64, _ encoder: inout RangeEncoder) {
        encode(Zigzag.encode(number), &encoder)
    }

    @inline(__always)
    mutating func decodeSigned(_ decoder: inout RangeDecoder) -> Int64 { Zigzag.decode(decode(&decoder)) }
}
