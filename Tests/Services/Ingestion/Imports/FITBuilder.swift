@testable import Ingestion

/// Makes FIT files for tests.
struct FITBuilder {
    private var body: [UInt8] = []
    /// What has no length in its header, as a recorder leaves it that was switched off.
    var isUnterminated = false

    /// Fields by number, size and base type.
    mutating func define(_ local: UInt8, _ global: UInt16, _ fields: [(UInt8, UInt8, UInt8)], bigEndian: Bool = false) {
        body += [0x40 | local, 0, bigEndian ? 1 : 0]
        body += bigEndian ? [UInt8(global >> 8), UInt8(global & 0xFF)] : [UInt8(global & 0xFF), UInt8(global >> 8)]
        body.append(UInt8(fields.count))
        for field in fields { body += [field.0, field.1, field.2] }
    }

    /// The same with a developer's field of four bytes.
    mutating func defineDevelopers(_ local: UInt8, _ global: UInt16, _ fields: [(UInt8, UInt8, UInt8)]) {
        define(local, global, fields)
        body[body.count - 6 - 3 * fields.count] |= 0x20
        body += [1, 0, 4, 0]
    }

    mutating func add(_ local: UInt8, _ values: [(UInt64, Int)], bigEndian: Bool = false) {
        body.append(local)
        for (value, size) in values { body += Self.bytes(value, size, bigEndian) }
    }

    /// A message whose time is in its header.
    mutating func addCompressed(_ local: UInt8, offset: UInt8, _ values: [(UInt64, Int)]) {
        body.append(0x80 | local << 5 | offset)
        for (value, size) in values { body += Self.bytes(value, size, false) }
    }

    mutating func addRaw(_ bytes: [UInt8]) { body += bytes }

    private static func bytes(_ value: UInt64, _ size: Int, _ bigEndian: Bool) -> [UInt8] {
        let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return bigEndian ? little.reversed() : little
    }

    var bytes: [UInt8] {
        let length = isUnterminated ? 0 : UInt64(body.count)
        let file = [14, 0x20, 0x54, 0x08] + Self.bytes(length, 4, false) + Array(".FIT".utf8) + [0, 0] + body
        return isUnterminated ? file : file + Self.bytes(UInt64(Self.crc(file)), 2, false)
    }

    /// By nibbles, as the specification writes it; the reader goes by bytes.
    private static func crc(_ bytes: [UInt8]) -> UInt16 {
        let table: [UInt16] = [
            0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800, 0xB401, 0x5000,
            0x9C01, 0x8801, 0x4400,
        ]
        var crc: UInt16 = 0
        for byte in bytes {
            for nibble in [byte & 15, byte >> 4] { crc = crc >> 4 & 0x0FFF ^ table[Int(crc & 15)] ^ table[Int(nibble)] }
        }
        return crc
    }
}
