/// One field line of a head or trailer as offsets from where the message begins (RFC 9112 §5): the name is a token
/// right before the colon, the value is without white space around it. Lines are never folded.
struct FieldLine: Sendable {
    let nameStart: UInt32
    let nameCount: UInt32
    let valueStart: UInt32
    let valueCount: UInt32

    /// The line at `start..<end` of `octets`, without its line end.
    init(in octets: UnsafeRawBufferPointer, start: Int, end: Int) throws(HTTPParseError) {
        var colon = start
        while colon < end, Octets.isToken(octets[colon]) { colon += 1 }
        guard colon > start, colon < end, octets[colon] == UInt8(ascii: ":") else {
            let first = octets[start]
            if first == Octets.space || first == Octets.tab {
                throw HTTPParseError(.badRequest, "a field line must not begin with white space")
            }
            throw HTTPParseError(.badRequest, "a field line must be a token, a colon and a value")
        }
        var (valueStart, valueEnd) = (colon + 1, end)
        while valueStart < valueEnd, octets[valueStart] == Octets.space || octets[valueStart] == Octets.tab {
            valueStart += 1
        }
        while valueEnd > valueStart, octets[valueEnd - 1] == Octets.space || octets[valueEnd - 1] == Octets.tab {
            valueEnd -= 1
        }
        for index in valueStart..<valueEnd where !Octets.isFieldValue(octets[index]) {
            throw HTTPParseError(.badRequest, "a field value holds a control character")
        }
        nameStart = UInt32(truncatingIfNeeded: start)
        nameCount = UInt32(truncatingIfNeeded: colon - start)
        self.valueStart = UInt32(truncatingIfNeeded: valueStart)
        valueCount = UInt32(truncatingIfNeeded: valueEnd - valueStart)
    }

    @inline(__always)
    func name(in octets: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        Octets.slice(octets, Int(nameStart), Int(nameStart + nameCount))
    }

    @inline(__always)
    func value(in octets: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        Octets.slice(octets, Int(valueStart), Int(valueStart + valueCount))
    }
}
