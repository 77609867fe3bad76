import CZlib

/// Expands a deflated stream (RFC 1951, or with gzip's frame RFC 1952), a piece at a time. For one task at a time.
final class Inflater {
    enum Frame { case none, gzip }

    /// What one step did.
    struct Step {
        /// Compressed bytes that were used up.
        let used: Int
        let isAtEnd: Bool
        let isBroken: Bool
    }

    private static let outputBytes = 16 * 1024

    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableBufferPointer<UInt8>

    /// `nil` when there is no memory for it.
    init?(_ frame: Frame) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(capacity: Self.outputBytes)
        let status = frame == .gzip ? tm_inflate_init_gzip(stream) : tm_inflate_init_raw(stream)
        guard status == Z_OK else {
            stream.deallocate()
            output.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Makes it ready for another stream, after the end of one.
    func restart() { inflateReset(stream) }

    /// Expands `bytes`, or as much of them as belongs to the stream. `give` gets the expanded bytes, 16 KiB at most at a time, and
    /// returns whether to go on.
    func expand(_ bytes: UnsafeBufferPointer<UInt8>, _ give: (UnsafeRawBufferPointer) -> Bool) -> Step {
        // zlib counts in 32 bits; what is left comes with the next call.
        let input = bytes.prefix(1 << 30)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        var (isAtEnd, isBroken) = (false, false)
        repeat {
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(Self.outputBytes)
            let status = inflate(stream, Z_NO_FLUSH)
            let count = Self.outputBytes - Int(stream.pointee.avail_out)
            let goesOn = count == 0 || give(UnsafeRawBufferPointer(start: output.baseAddress, count: count))
            isAtEnd = status == Z_STREAM_END
            // Without room or input nothing can be done, which is no fault.
            isBroken = status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR
            guard goesOn, !isAtEnd, !isBroken, status != Z_BUF_ERROR || count > 0 else { break }
        } while stream.pointee.avail_out == 0 || stream.pointee.avail_in > 0
        return Step(used: input.count - Int(stream.pointee.avail_in), isAtEnd: isAtEnd, isBroken: isBroken)
    }
}
