import CZlib
public import Contracts
import Primitives

/// Compresses a piece of a file for an export as raw deflate (RFC 1951), without a last block: so pieces that different
/// processes have made are one file when they stand one after the other. Belongs to one task at a time.
public final class Deflater {
    /// Four times as fast as the usual 6, for a seventh more bytes: people wait for it.
    private static let level: Int32 = 2
    private static let outputBytes = 64 * 1024

    /// The last block of a file, which is empty.
    public static let lastBlock: [UInt8] = [3, 0]

    private var stream = z_stream()
    private var checksum: UInt = 0
    private var count = 0
    private var output: [UInt8] = []

    /// `nil` when there is no memory for it.
    public init?() {
        guard tm_deflate_init_raw(&stream, Self.level) == Z_OK else { return nil }
        checksum = crc32(0, nil, 0)
    }

    deinit { deflateEnd(&stream) }

    public func add(_ bytes: [UInt8]) {
        count += bytes.count
        checksum = bytes.withUnsafeBufferPointer { crc32(checksum, $0.baseAddress, UInt32($0.count)) }
        compress(bytes, Z_NO_FLUSH)
    }

    /// All that was added, as a piece. Call once.
    public func finish(path: String) -> Exports.Piece {
        compress([], Z_FULL_FLUSH)
        return Exports.Piece(
            path: path, deflated: Base64.standard.encode(output), checksum: UInt32(truncatingIfNeeded: checksum),
            count: count)
    }

    private func compress(_ bytes: [UInt8], _ flush: Int32) {
        bytes.withUnsafeBufferPointer { source in
            stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            stream.avail_in = UInt32(source.count)
            var isFull = true
            while isFull {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.outputBytes) { space in
                    stream.next_out = space.baseAddress
                    stream.avail_out = UInt32(Self.outputBytes)
                    // With room for output it cannot fail.
                    _ = deflate(&stream, flush)
                    output.append(contentsOf: space[..<(Self.outputBytes - Int(stream.avail_out))])
                }
                isFull = stream.avail_out == 0
            }
            stream.next_in = nil
        }
    }

    /// The checksum of two contents one after the other, of which the second has `count` bytes.
    public static func checksum(_ first: UInt32, _ second: UInt32, count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), count))
    }
}
