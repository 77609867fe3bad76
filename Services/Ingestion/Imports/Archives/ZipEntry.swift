/// The header of a file in a ZIP archive.
struct ZipEntry {
    static let fileSignature: UInt32 = 0x0403_4B50
    static let directorySignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    static let endSignature64: UInt32 = 0x0606_4B50
    private static let descriptorSignature: UInt32 = 0x0807_4B50

    let name: String
    let headerLength: Int
    let isDeflated: Bool
    /// Neither encrypted nor compressed in another way than is read.
    let isReadable: Bool
    /// A checksum and the lengths come after the contents.
    let hasDescriptor: Bool
    /// Bytes of the contents; `nil` when a descriptor tells it.
    let compressed: Int?
    /// CRC-32 of the expanded contents; `nil` when a descriptor tells it.
    let crc: UInt?

    /// `nil` when more bytes are needed.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 30 else { return nil }
        let nameLength = Int(Self.number(bytes, 26, 2))
        let extraLength = Int(Self.number(bytes, 28, 2))
        headerLength = 30 + nameLength + extraLength
        guard bytes.count >= headerLength else { return nil }
        name = String(decoding: bytes[30..<30 + nameLength].prefix(Self.nameBytesMax), as: UTF8.self)
        let flags = Self.number(bytes, 6, 2)
        let method = Self.number(bytes, 8, 2)
        isDeflated = method == 8
        isReadable = flags & 1 == 0 && (method == 0 || method == 8)
        hasDescriptor = flags & 8 != 0
        var size = Self.number(bytes, 18, 4)
        if size == 0xFFFF_FFFF {
            let extra = UnsafeBufferPointer(rebasing: bytes[(30 + nameLength)..<headerLength])
            size = Self.size64(extra) ?? size
        }
        // A stored folder has no contents; java.util.zip deflates folders, too, to two bytes.
        let isStoredFolder = !isDeflated && name.hasSuffix("/")
        compressed = isStoredFolder ? 0 : hasDescriptor && size == 0 || size > 1 << 60 ? nil : Int(size)
        crc = hasDescriptor ? nil : UInt(Self.number(bytes, 14, 4))
    }

    private static let nameBytesMax = 300

    /// Folders, and what macOS adds of its own, are none.
    var isOfInterest: Bool {
        guard let last = name.split(separator: "/", omittingEmptySubsequences: false).last else { return false }
        return !last.isEmpty && !last.hasPrefix("._") && !name.hasPrefix("__MACOSX/")
    }

    /// The compressed length in the ZIP64 field.
    private static func size64(_ extra: UnsafeBufferPointer<UInt8>) -> UInt64? {
        var position = 0
        while position + 4 <= extra.count {
            let (kind, length) = (number(extra, position, 2), Int(number(extra, position + 2, 2)))
            position += 4
            guard position + length <= extra.count else { return nil }
            // The expanded length comes first; in these headers there are both.
            if kind == 1, length >= 16 { return number(extra, position + 8, 8) }
            position += length
        }
        return nil
    }

    static func signature(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 { UInt32(number(bytes, 0, 4)) }

    /// The descriptor at the beginning of `bytes`: with or without a signature, with lengths of four bytes or eight. Which, shows
    /// by what follows it. `nil` when more bytes are needed.
    static func descriptor(_ bytes: UnsafeBufferPointer<UInt8>) -> (length: Int, crc: UInt)? {
        guard bytes.count >= 28 else { return nil }
        let start = signature(bytes) == descriptorSignature ? 4 : 0
        let crc = UInt(number(bytes, start, 4))
        for length in [start + 12, start + 20] {
            switch UInt32(number(bytes, length, 4)) {
            case fileSignature, directorySignature, endSignature, endSignature64: return (length, crc)
            default: break
            }
        }
        return (start + 12, crc)
    }

    /// The offset of the next header of a file, or of the directory.
    static func nextHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...bytes.count - 4
        where bytes[index] == UInt8(ascii: "P") && bytes[index + 1] == UInt8(ascii: "K") {
            let signature = UInt32(number(bytes, index, 4))
            if signature == fileSignature || signature == directorySignature { return index }
        }
        return nil
    }

    /// Little endian.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
        (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) }
    }
}
