/// The chunked transfer coding (RFC 9112 §7.1), decoded from bytes in any pieces. Extensions are dropped; trailer
/// fields are checked and dropped. Strict: CR LF only, no white space in the size, limits on every line.
public struct ChunkedDecoder: Sendable {
    private enum State: Sendable {
        case sizeStart, size, chunkExtension, sizeLineFeed, data, dataReturn, dataLineFeed
        case trailerStart, trailer, trailerLineFeed, endLineFeed, done
    }

    private let limits: HTTPLimits
    private var state = State.sizeStart
    private var remaining = 0
    private var lineBytes = 0
    private var trailerBytes = 0
    private var trailerLine: [UInt8] = []

    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    public var isDone: Bool { state == .done }

    /// Decodes from the front of `octets` into `output` (which is appended to), stopping at the end of the body or when
    /// `output` has `outputBytesMax` bytes. Returns how many bytes were used.
    public mutating func decode(
        _ octets: UnsafeRawBufferPointer, into output: inout [UInt8], outputBytesMax: Int = .max
    ) throws(HTTPParseError) -> Int {
        var index = 0
        while index < octets.count, state != .done {
            if state == .data {
                let count = min(remaining, octets.count - index, outputBytesMax - output.count)
                guard count > 0 else { break }
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: octets[index..<index + count]))
                index += count
                remaining -= count
                if remaining == 0 { state = .dataReturn }
                continue
            }
            try step(octets[index])
            index += 1
        }
        return index
    }

    private mutating func step(_ octet: UInt8) throws(HTTPParseError) {
        switch state {
        case .sizeStart, .size, .chunkExtension, .sizeLineFeed: try stepSizeLine(octet)
        case .dataReturn:
            guard octet == Octets.carriageReturn else { throw Self.malformed }
            state = .dataLineFeed
        case .dataLineFeed:
            guard octet == Octets.lineFeed else { throw Self.malformed }
            (state, lineBytes) = (.sizeStart, 0)
        case .trailerStart, .trailer, .trailerLineFeed, .endLineFeed: try stepTrailer(octet)
        case .data, .done: break
        }
    }

    private mutating func stepSizeLine(_ octet: UInt8) throws(HTTPParseError) {
        lineBytes += 1
        guard lineBytes <= limits.chunkLineBytesMax else {
            throw HTTPParseError(.badRequest, "the line before a chunk is too long")
        }
        switch state {
        case .sizeStart, .size:
            if let digit = Octets.hexadecimal(octet) {
                guard remaining < 1 << 55 else { throw HTTPParseError(.contentTooLarge, "a chunk is too large") }
                remaining = remaining << 4 | Int(digit)
                state = .size
            } else if state == .size, octet == UInt8(ascii: ";") {
                state = .chunkExtension
            } else if state == .size, octet == Octets.carriageReturn {
                state = .sizeLineFeed
            } else {
                throw Self.malformed
            }
        case .chunkExtension:
            if octet == Octets.carriageReturn {
                state = .sizeLineFeed
            } else if !Octets.isFieldValue(octet) {
                throw Self.malformed
            }
        default:
            guard octet == Octets.lineFeed else { throw Self.malformed }
            state = remaining > 0 ? .data : .trailerStart
        }
    }

    private mutating func stepTrailer(_ octet: UInt8) throws(HTTPParseError) {
        trailerBytes += 1
        guard trailerBytes <= limits.trailerBytesMax else {
            throw HTTPParseError(.requestHeaderFieldsTooLarge, "the trailer fields are too large")
        }
        switch state {
        case .trailerStart where octet == Octets.carriageReturn: state = .endLineFeed
        case .trailerStart, .trailer:
            if octet == Octets.carriageReturn {
                state = .trailerLineFeed
            } else {
                guard Octets.isFieldValue(octet) else { throw Self.malformed }
                trailerLine.append(octet)
                state = .trailer
            }
        case .trailerLineFeed:
            guard octet == Octets.lineFeed else { throw Self.malformed }
            try trailerLine.withOctets { (line) throws(HTTPParseError) in
                _ = try FieldLine(in: line, start: 0, end: line.count)
            }
            trailerLine = []
            state = .trailerStart
        default:
            guard octet == Octets.lineFeed else { throw Self.malformed }
            state = .done
        }
    }

    private static var malformed: HTTPParseError { HTTPParseError(.badRequest, "the chunked body is malformed") }
}
