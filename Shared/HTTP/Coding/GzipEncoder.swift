import CZlib

/// Compresses one body as gzip (RFC 1952). Belongs to one task at a time.
final class GzipEncoder {
    enum End {
        /// What was added can be read at the other end, and more follows.
        case piece
        case body
    }

    /// Bodies are compressed on their loop, so speed counts for more than the last percent.
    private static let level: Int32 = 4
    private static let outputBytes = 16 * 1024

    private var stream = z_stream()

    /// `nil` when there is no memory for it: the body goes out as it is.
    init?() {
        guard tm_deflate_init_gzip(&stream, Self.level) == Z_OK else { return nil }
    }

    deinit { deflateEnd(&stream) }

    /// The compressed form of `bytes`.
    func encode(_ bytes: [UInt8], _ end: End) -> [UInt8] {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { source in
            stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.avail_in = UInt32(source.count)
            var isFull = true
            while isFull {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.outputBytes) { space in
                    stream.next_out = space.baseAddress
                    stream.avail_out = UInt32(Self.outputBytes)
                    // With room for output neither flush can fail.
                    _ = deflate(&stream, end == .body ? Z_FINISH : Z_SYNC_FLUSH)
                    output.append(contentsOf: space[..<(Self.outputBytes - Int(stream.avail_out))])
                }
                isFull = stream.avail_out == 0
            }
            stream.next_in = nil
        }
        return output
    }
}
