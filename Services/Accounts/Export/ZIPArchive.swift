import Contracts
import Domain
import Primitives
import Service

/// Writes a ZIP archive (APPNOTE.TXT 6.3.10) of pieces that are compressed already, from its first byte to its last: sizes and
/// checksums stand behind each file's content. Less than 4 GiB, and less than 65,536 files. Nothing is kept but the list
/// of files.
struct ZIPArchive {
    /// The archive, or the list of its files, would be longer than its form allows.
    struct TooLong: Error {}

    private struct Entry {
        let path: [UInt8]
        let offset: UInt32
        var checksum: UInt32 = 0
        var compressed: UInt32 = 0
        var count: UInt32 = 0
    }

    private static let (version, descriptorAndUTF8, deflate): (UInt16, UInt16, UInt16) = (20, 0x0808, 8)
    private static let sizeMax = Int(UInt32.max)

    /// What was written since the last `take`.
    private var bytes: [UInt8] = []
    private(set) var size = 0
    private var entries: [Entry] = []
    private var open: Entry?
    /// All files have the time of the archive.
    private let time: UInt32

    private static let pathBytesMax = 200

    init(at now: Timestamp) { time = Self.time(now) }

    /// The path of the last file.
    var path: String? { open.map { String(decoding: $0.path, as: UTF8.self) } }

    /// A piece goes into the file that is open if that has its path; otherwise it begins the next file.
    mutating func add(_ piece: Exports.Piece) throws {
        guard Self.isPath(piece.path) else { throw StoredValueError(column: "path") }
        guard let content = Base64.standard.decode(piece.deflated) else { throw StoredValueError(column: "deflated") }
        if path != piece.path {
            try close()
            try begin(piece.path)
        }
        guard var entry = open else { return }
        entry.checksum =
            entry.count == 0
            ? piece.checksum : Deflater.checksum(entry.checksum, piece.checksum, count: piece.count)
        entry.compressed = try Self.sum(entry.compressed, content.count)
        entry.count = try Self.sum(entry.count, piece.count)
        open = entry
        try write(content)
    }

    /// As `Exports.Piece` has them: none leads out of the folder in which the archive is unpacked.
    static func isPath(_ path: String) -> Bool {
        let marks = Set("-./_".utf8)
        return (1...pathBytesMax).contains(path.utf8.count) && !path.hasPrefix("/") && !path.contains("..")
            && path.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || marks.contains($0)
            }
    }

    /// The list of the files, after which nothing follows.
    mutating func finish() throws {
        try close()
        guard entries.count < Int(UInt16.max) else { throw TooLong() }
        let offset = UInt32(size)
        for entry in entries { try write(Self.listed(entry, time)) }
        let length = UInt32(size) - offset
        let count = UInt16(entries.count)
        try write(
            Self.fields(UInt32(0x0605_4b50)) + Self.fields(UInt16(0), UInt16(0), count, count)
                + Self.fields(length, offset) + Self.fields(UInt16(0)))
    }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Bytes that wait to be taken.
    var waiting: Int { bytes.count }

    private mutating func begin(_ path: String) throws {
        let entry = Entry(path: Array(path.utf8), offset: UInt32(size))
        open = entry
        try write(
            Self.fields(UInt32(0x0403_4b50)) + Self.fields(Self.version, Self.descriptorAndUTF8, Self.deflate)
                + Self.fields(time, UInt32(0), UInt32(0), UInt32(0)) + Self.fields(UInt16(entry.path.count), UInt16(0))
                + entry.path)
    }

    private mutating func close() throws {
        guard var entry = open else { return }
        try write(Deflater.lastBlock)
        entry.compressed = try Self.sum(entry.compressed, Deflater.lastBlock.count)
        try write(Self.fields(UInt32(0x0807_4b50), entry.checksum, entry.compressed, entry.count))
        entries.append(entry)
        open = nil
    }

    private mutating func write(_ more: [UInt8]) throws {
        guard size + more.count <= Self.sizeMax else { throw TooLong() }
        bytes += more
        size += more.count
    }

    private static func listed(_ entry: Entry, _ time: UInt32) -> [UInt8] {
        fields(UInt32(0x0201_4b50)) + fields(version, version, descriptorAndUTF8, deflate)
            + fields(time, entry.checksum, entry.compressed, entry.count)
            + fields(UInt16(entry.path.count), UInt16(0), UInt16(0), UInt16(0), UInt16(0))
            + fields(UInt32(0), entry.offset) + entry.path
    }

    private static func fields<Value: FixedWidthInteger>(_ values: Value...) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    private static func sum(_ value: UInt32, _ count: Int) throws -> UInt32 {
        let (sum, overflow) = value.addingReportingOverflow(UInt32(clamping: count))
        guard !overflow, count <= sizeMax else { throw TooLong() }
        return sum
    }

    /// Of MS-DOS, in UTC: seconds by two, and years from 1980 on.
    private static func time(_ now: Timestamp) -> UInt32 {
        let date = now.dateUTC
        let seconds = UInt32(max(0, (now - date.startUTC).components.seconds))
        let time = seconds / 3600 << 11 | seconds / 60 % 60 << 5 | seconds % 60 / 2
        let year = UInt32(clamping: max(1980, Int(date.year)) - 1980)
        return (year << 9 | UInt32(date.month) << 5 | UInt32(date.day)) << 16 | time
    }
}
