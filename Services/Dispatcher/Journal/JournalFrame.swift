import CZlib

/// One record of a journal's file, as it is on disk. What it holds is sealed.
///
/// ```
/// magic (4) ‖ length of the payload (4) ‖ CRC-32 of number and payload (4) ‖ number (8) ‖ payload
/// ```
///
/// Integers are big-endian. A frame that was not written to its end, or that the disk has altered, is not one; those behind
/// it are found by the magic.
struct JournalFrame: Sendable, Equatable {
    static let magic: [UInt8] = [0x54, 0x4d, 0x4a, 0x31]
    static let headerBytes = 20
    static let payloadBytesMax = 128 * 1024

    /// Grows from frame to frame.
    let number: UInt64
    let payload: [UInt8]

    var bytes: [UInt8] {
        let content = Self.bytes(of: number) + payload
        return Self.magic + Self.bytes(of: UInt32(payload.count)) + Self.bytes(of: Self.checksum(content)) + content
    }

    /// What a file holds.
    struct Scan: Sendable, Equatable {
        var frames: [JournalFrame] = []
        /// Bytes that belong to no frame: a torn end, or what the disk has altered.
        var lostBytes = 0
    }

    static func scan(_ bytes: [UInt8]) -> Scan {
        var scan = Scan()
        var position = 0
        while position < bytes.count {
            if let frame = frame(bytes, at: position) {
                scan.frames.append(frame)
                position += headerBytes + frame.payload.count
            } else {
                scan.lostBytes += 1
                position += 1
            }
        }
        return scan
    }

    private static func frame(_ bytes: [UInt8], at start: Int) -> JournalFrame? {
        guard bytes.count - start >= headerBytes, bytes[start..<start + 4].elementsEqual(magic) else { return nil }
        let count = Int(integer(bytes, at: start + 4, bytes: 4))
        let end = start + headerBytes + count
        guard count <= payloadBytesMax, end <= bytes.count,
            checksum(bytes[(start + 12)..<end]) == UInt32(integer(bytes, at: start + 8, bytes: 4))
        else { return nil }
        return JournalFrame(
            number: integer(bytes, at: start + 12, bytes: 8), payload: Array(bytes[(start + headerBytes)..<end]))
    }

    /// Of a frame's bytes.
    static func number(of frame: [UInt8]) -> UInt64 { integer(frame, at: 12, bytes: 8) }

    private static func integer(_ bytes: [UInt8], at start: Int, bytes count: Int) -> UInt64 {
        bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func bytes(of integer: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    }

    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let bytes = Array(bytes)
        return bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count)))
        }
    }
}
