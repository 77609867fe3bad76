import CZlib

/// Compresses and expands values as they are stored, each as a whole (raw deflate, RFC 1951). The files that people are given are
/// made piece by piece (`Deflater`).
public enum Deflate {
    /// What was to be expanded is damaged, or is more than it may be.
    public struct Broken: Error, CustomStringConvertible {
        public var description: String { "a compressed value that cannot be expanded" }
    }

    private static let level: Int32 = 6
    private static let outputBytes = 64 * 1024

    /// `nil` when there is no memory for it.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib keeps the address.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard tm_deflate_init_raw(stream, level) == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        let room = Int(deflateBound(stream, UInt(bytes.count)))
        var isWhole = false
        let output = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(room)
                // With so much room once is enough.
                isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
                count = room - Int(stream.pointee.avail_out)
            }
        }
        return isWhole ? output : nil
    }

    /// What `compress` was given, which has `bytesMax` bytes at most. Nothing stands after it.
    public static func expand(_ bytes: [UInt8], bytesMax: Int) throws(Broken) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard tm_inflate_init_raw(stream) == Z_OK else { throw Broken() }
        defer { inflateEnd(stream) }
        var output: [UInt8] = []
        let isWhole = bytes.withUnsafeBufferPointer { source in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.pointee.avail_in = UInt32(source.count)
            var status = Z_OK
            repeat {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: outputBytes) { space in
                    stream.pointee.next_out = space.baseAddress
                    stream.pointee.avail_out = UInt32(outputBytes)
                    status = inflate(stream, Z_NO_FLUSH)
                    output.append(contentsOf: space[..<(outputBytes - Int(stream.pointee.avail_out))])
                }
            } while status == Z_OK && stream.pointee.avail_out == 0 && output.count <= bytesMax
            return status == Z_STREAM_END && stream.pointee.avail_in == 0
        }
        guard isWhole, output.count <= bytesMax else { throw Broken() }
        return output
    }
}
