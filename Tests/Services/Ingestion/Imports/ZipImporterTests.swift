import CZlib
import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct ZipImporterTests {
    private func read(_ bytes: [UInt8], pieceBytes: Int = .max) -> (batch: ImportBatch, report: ImportReport) {
        imported(bytes, by: ZipImporter(clock: testClock), pieceBytes: pieceBytes)
    }

    private func archive(_ files: [ZipBuilder.File]) -> [UInt8] { ZipBuilder.archive(files) }

    private static let gpx = Array(GPXImporterTests.document.utf8)
    private static let health = Array(AppleHealthImporterTests.document.utf8)

    private var files: [ZipBuilder.File] {
        [
            .init("apple_health_export/", []),
            .init("apple_health_export/workout-routes/route_1.gpx", Self.gpx, hasDescriptor: true),
            .init("apple_health_export/export_cda.xml", Array("<ClinicalDocument/>".utf8)),
            .init("__MACOSX/._route_1.gpx", [1, 2, 3]),
            .init("apple_health_export/electrocardiograms/ecg.csv", Array("Name,Anna\nDate,2026\n".utf8)),
            .init("apple_health_export/export.xml", Self.health, hasDescriptor: true, isZip64: true),
            .init("stored.gpx", Self.gpx, isStored: true),
        ]
    }

    @Test(
        "ING-04a: an archive as Apple Health hands it out: all files in it, each by its format, with descriptors and ZIP64"
    )
    func reads() {
        let (batch, report) = read(archive(files))
        let gpx = imported(Self.gpx, by: GPXImporter(clock: testClock))
        let health = imported(Self.health, by: AppleHealthImporter(clock: testClock))
        #expect(report.failure == nil)
        #expect(batch.positions == gpx.batch.positions + gpx.batch.positions)
        #expect(batch.measurements.count == 2 * gpx.batch.measurements.count + health.batch.measurements.count)
        #expect(report.taken[.heartRate] == 2 + (health.report.taken[.heartRate] ?? 0))
        #expect(report.skips.contains("- other-format 1 [\"apple_health_export/export_cda.xml:#0\"]"))
        #expect(report.skips.contains("- file-broken-off 1 [\"apple_health_export/electrocardiograms/ecg.csv:1\"]"))
        #expect(
            report.skips.contains(
                "position no-time 2 [\"apple_health_export/workout-routes/route_1.gpx:12\", \"stored.gpx:12\"]"))
    }

    @Test("ING-04ah: a file that is damaged costs only itself")
    func damaged() {
        for hasDescriptor in [false, true] {
            var bytes = archive([
                .init("a.gpx", Self.gpx), .init("b.gpx", Self.gpx, hasDescriptor: hasDescriptor),
                .init("c.gpx", Self.gpx),
            ])
            let whole = read(bytes).batch
            #expect(whole.positions.count == 9)
            // In the middle of the second.
            let length = bytes.count / 3
            for index in length + 300..<length + 320 { bytes[index] ^= 0x5A }
            let (batch, report) = read(bytes)
            #expect(batch.positions.count >= 6 && report.failure == nil)
            #expect(report.skips.contains { $0.hasPrefix("- malformed-file 1 [\"b.gpx:") })
        }
        let cut = read(Array(archive([.init("a.gpx", Self.gpx), .init("b.gpx", Self.gpx)]).prefix(700)))
        #expect(cut.batch.positions.count >= 3 && cut.report.failure?.explanation == "The archive ends in the middle.")
    }

    @Test("ING-04ah: encrypted files are passed over, and archives in archives")
    func unreadable() {
        let inner = archive([.init("a.gpx", Self.gpx)])
        let (batch, report) = read(
            archive([
                .init("secret.gpx", Self.gpx, isEncrypted: true), .init("inner.zip", inner), .init("c.gpx", Self.gpx),
            ]))
        #expect(batch.positions.count == 3 && report.failure == nil)
        #expect(report.skips.contains { $0.hasPrefix("- unreadable-file 1 [\"secret.gpx:") })
        #expect(report.skips.contains("- other-format 1 [\"inner.zip:#0\"]"))
    }

    @Test("ING-04 NFR-02: an archive that expands to far more than it is, is read no further")
    func bomb() {
        let blanks = [UInt8](repeating: 0x20, count: 3 << 20)
        let limit = ExpansionLimit(ratioMax: 200, free: 1 << 20)
        let bytes = archive([.init("a.gpx", Array("<gpx>".utf8) + blanks), .init("b.gpx", Self.gpx)])
        let report = imported(bytes, by: ZipImporter(clock: testClock, limit: limit)).report
        #expect(report.failure?.explanation == "The archive expands to more than is read.")
    }

    @Test("ING-04 NFR-02: what an archive's files expand to counts together with what is compressed in these once more")
    func nestedBomb() {
        let blanks = Array("type,time,value\n".utf8) + [UInt8](repeating: 0x0A, count: 300 << 10)
        let files = (0..<20).map { ZipBuilder.File("\($0).csv.gz", ZipBuilder.deflated(blanks, gzip: true)) }
        let limit = ExpansionLimit(ratioMax: 200, free: 1 << 20)
        func report(_ files: [ZipBuilder.File]) -> ImportReport {
            imported(archive(files), by: ZipImporter(clock: testClock, limit: limit)).report
        }
        #expect(report(files).failure?.explanation == "The archive expands to more than is read.")
        // Each by itself is no such file.
        #expect(report(Array(files[..<3])).failure == nil)
    }

    @Test("ING-04h: where an archive meets its limit, what the open file held counts as taken and is given out")
    func heldAtLimit() {
        var file = FITBuilder()
        file.define(0, 20, [(253, 4, 0x86), (3, 1, 2)])
        for second in 0..<20_000 as Range<UInt64> { file.add(0, [(1_146_000_000 + second, 4), (120, 1)]) }
        let limit = ExpansionLimit(ratioMax: 1, free: 50_000)
        let (batch, report) = imported(
            archive([.init("a.fit", file.bytes)]), by: ZipImporter(clock: testClock, limit: limit), pieceBytes: 1000)
        #expect(report.failure?.explanation == "The archive expands to more than is read.")
        #expect(batch.measurements.count > 5000 && report.taken == [.heartRate: batch.measurements.count])
    }

    @Test("ING-04d: a file compressed with gzip is read, also in an archive")
    func gzip() {
        let bytes = ZipBuilder.deflated(Self.gpx, gzip: true)
        let (batch, report) = imported(bytes, by: GzipImporter(clock: testClock, limit: .file), pieceBytes: 100)
        #expect(batch.positions.count == 3 && report.failure == nil)
        #expect(read(archive([.init("a.gpx.gz", bytes)])).batch.positions.count == 3)
        let cut = imported(Array(bytes.dropLast(50)), by: GzipImporter(clock: testClock, limit: .file))
        #expect(cut.report.failure != nil)
    }

    @Test("ING-04d: all members of a gzip file are read, and what follows them is said")
    func gzipMembers() {
        let half = Self.gpx.count / 2
        let bytes =
            ZipBuilder.deflated(Array(Self.gpx[..<half]), gzip: true)
            + ZipBuilder.deflated(Array(Self.gpx[half...]), gzip: true)
        let whole = imported(Self.gpx, by: GPXImporter(clock: testClock))
        for length in [1, 2, 100, Int.max] {
            func expanded(_ bytes: [UInt8]) -> (batch: ImportBatch, report: ImportReport) {
                imported(bytes, by: GzipImporter(clock: testClock, limit: .file), pieceBytes: length)
            }
            let (batch, report) = expanded(bytes)
            #expect(batch == whole.batch && report == whole.report)
            for junk: [UInt8] in [[0, 0, 0], [0x1F], [0x1F, 0x1F]] {
                let (batch, report) = expanded(bytes + junk)
                #expect(batch == whole.batch && report.failure == nil)
                #expect(report.skips.contains("- trailing-bytes 1 [\"#\(bytes.count)\"]"))
            }
            #expect(expanded(bytes + [0x1F, 0x8B, 8]).report.failure != nil)
        }
    }

    @Test("ING-04 NFR-02: what a compressed file expands to is handed out a little at a time")
    func slices() {
        let count = 20_000
        let table = "type,time,value\n" + String(repeating: "steps,2026-07-01T06:00:00Z,1\n", count: count)
        let compressed = ZipBuilder.deflated(Array(table.utf8), gzip: true)
        let files: [(any FileImporter, [UInt8])] = [
            (GzipImporter(clock: testClock, limit: .file), compressed),
            (ZipImporter(clock: testClock), archive([.init("a.csv", Array(table.utf8))])),
            (ZipImporter(clock: testClock), archive([.init("a.csv.gz", compressed)])),
        ]
        for (importer, bytes) in files {
            var counts: [Int] = []
            bytes.withUnsafeBytes { importer.consume($0) { counts.append($0.measurements.count) } }
            importer.finish { counts.append($0.measurements.count) }
            #expect(counts.reduce(0, +) == count)
            // The first has what was held until the format was known.
            #expect((counts.max() ?? 0) < count / 5)
        }
    }

    @Test("ING-04ah: folders and empty files that are compressed, as java.util.zip writes them, are no damage")
    func folders() {
        let (batch, report) = read(
            archive([
                .init("x/", [], isStored: false, hasDescriptor: true), .init("x/y/", [], isStored: false),
                .init("x/empty.gpx", [], isStored: false, content: []),
                .init("x/a.gpx", Self.gpx, hasDescriptor: true),
            ]))
        #expect(batch.positions.count == 3 && report.failure == nil)
        #expect(!report.skips.contains { $0.contains("malformed") })
        #expect(report.skips.contains("- other-format 1 [\"x/empty.gpx:#0\"]"))
    }

    @Test("ING-04ah: a file that is neither compressed nor tells its length is said, and costs only itself")
    func withoutLength() {
        let (batch, report) = read(
            archive([.init("a.gpx", Self.gpx, isStored: true, hasDescriptor: true), .init("b.gpx", Self.gpx)]))
        #expect(batch.positions.count == 3 && report.failure == nil)
        #expect(report.skips.first == "- no-length 1 [\"a.gpx:#0\"]")
    }

    @Test("ING-04: pieces of any length make no difference")
    func pieces() {
        let bytes = archive(files)
        let whole = read(bytes)
        for length in [1, 2, 3, 17, 100, 1001] {
            let pieces = read(bytes, pieceBytes: length)
            #expect(pieces.batch == whole.batch && pieces.report == whole.report)
        }
    }
}

/// Makes ZIP archives for tests.
enum ZipBuilder {
    struct File {
        let name: String
        let bytes: [UInt8]
        var isStored = false
        var hasDescriptor = false
        var isZip64 = false
        var isEncrypted = false
        /// As it is in the archive, where that is not what it should be.
        var content: [UInt8]?

        /// Without `isStored` what is empty is stored, and everything else compressed.
        init(
            _ name: String, _ bytes: [UInt8], isStored: Bool? = nil, hasDescriptor: Bool = false,
            isZip64: Bool = false, isEncrypted: Bool = false, content: [UInt8]? = nil
        ) {
            self.name = name
            self.bytes = bytes
            self.content = content
            self.isStored = isStored ?? bytes.isEmpty
            self.hasDescriptor = hasDescriptor
            self.isZip64 = isZip64
            self.isEncrypted = isEncrypted
        }
    }

    static func archive(_ files: [File]) -> [UInt8] {
        var result: [UInt8] = []
        for file in files {
            let content = file.content ?? (file.isStored ? file.bytes : deflated(file.bytes, gzip: false))
            let checksum = UInt64(crc32_z(0, file.bytes, file.bytes.count))
            let wide = file.isZip64 ? 8 : 4
            let flags: UInt64 = (file.isEncrypted ? 1 : 0) | (file.hasDescriptor ? 8 : 0)
            let isTold = !file.hasDescriptor
            result += number(0x0403_4B50, 4) + number(20, 2) + number(flags, 2) + number(file.isStored ? 0 : 8, 2)
            result += number(0, 4) + number(isTold ? checksum : 0, 4)
            result += number(isTold ? UInt64(content.count) : 0, 4) + number(isTold ? UInt64(file.bytes.count) : 0, 4)
            result += number(UInt64(file.name.utf8.count), 2) + number(0, 2) + Array(file.name.utf8) + content
            if file.hasDescriptor {
                result += number(0x0807_4B50, 4) + number(checksum, 4) + number(UInt64(content.count), wide)
                result += number(UInt64(file.bytes.count), wide)
            }
        }
        // The directory is not read; an empty entry and the end of it stand for it.
        return result + number(0x0201_4B50, 4) + [UInt8](repeating: 0, count: 42) + number(0x0605_4B50, 4)
            + [UInt8](repeating: 0, count: 18)
    }

    private static func number(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    static func deflated(_ bytes: [UInt8], gzip: Bool) -> [UInt8] {
        var stream = z_stream()
        guard tm_deflate_init_gzip(&stream, 6) == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: bytes.count + 1000)
        var input = bytes
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                _ = deflate(&stream, Z_FINISH)
                return target.count - Int(stream.avail_out)
            }
        }
        // gzip's frame is 10 bytes before and 8 behind.
        return gzip ? Array(output[..<count]) : Array(output[10..<count - 8])
    }
}
