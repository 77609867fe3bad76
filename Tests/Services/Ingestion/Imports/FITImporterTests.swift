import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct FITImporterTests {
    /// 2026-07-01T06:00:00Z.
    private static let start: UInt64 = 1_782_885_600 - 631_065_600

    /// A run of three points, a lap and a session, in the order of an activity's file.
    private func run(sport: UInt64 = 1) -> FITBuilder {
        var file = FITBuilder()
        let start = Self.start
        file.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84)])
        file.add(0, [(4, 1), (1, 2), (3291, 2)])
        file.define(1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (78, 4, 0x86), (3, 1, 0x02), (5, 4, 0x86)])
        let latitude = UInt64(45.5 / 180 * 2_147_483_648)
        let longitude = UInt64(9.25 / 180 * 2_147_483_648)
        file.add(1, [(start, 4), (latitude, 4), (longitude, 4), (3100, 4), (120, 1), (0, 4)])
        file.add(1, [(start + 1, 4), (latitude, 4), (0x7FFF_FFFF, 4), (3100, 4), (255, 1), (312, 4)])
        file.defineDevelopers(2, 20, [(3, 1, 0x02), (5, 4, 0x86)])
        // 31 s after a time that ends in 1: the five bits begin anew.
        file.addCompressed(2, offset: UInt8((start + 1 + 31) & 31), [(125, 1), (900, 4), (0xDEAD_BEEF, 4)])
        file.define(3, 19, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84), (25, 1, 0)])
        file.add(3, [(start + 60, 4), (start, 4), (60_000, 4), (7, 2), (sport, 1)])
        file.define(4, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84), (5, 1, 0), (6, 1, 0)])
        file.add(4, [(start + 61, 4), (start, 4), (60_000, 4), (8, 2), (sport, 1), (45, 1)])
        file.define(5, 34, [(253, 4, 0x86), (5, 4, 0x86)], bigEndian: true)
        file.add(5, [(start + 61, 4), (start + 61 + 7200, 4)], bigEndian: true)
        return file
    }

    private func read(_ bytes: [UInt8], pieceBytes: Int = .max) -> (batch: ImportBatch, report: ImportReport) {
        imported(bytes, by: FITImporter(clock: testClock), pieceBytes: pieceBytes)
    }

    private func lines(_ batch: ImportBatch) -> [String] {
        batch.measurements.map {
            "\($0.type) \($0.time) \($0.duration.milliseconds / 1000) \($0.zoneOffset?.description ?? "-") \($0.value)"
        }
    }

    @Test("ING-04d: points, compressed times, developers' fields, sessions and laps, with the zone that comes last")
    func activity() {
        let (batch, report) = read(run().bytes)
        #expect(report.failure == nil)
        #expect(report.skips == [])
        #expect(batch.groups.map(\.source) == ["Garmin 3291"])
        #expect(batch.positions.map(\.altitude) == [120] && batch.positions.map { $0.zoneOffset?.minutes } == [120])
        #expect(abs((batch.positions.first?.coordinate.latitude ?? 0) - 45.5) < 1e-6)
        let activity = Activity(.running, .indoor).value
        #expect(
            lines(batch) == [
                "heart-rate 2026-07-01T06:00:00Z 0 +02:00 120.0", "heart-rate 2026-07-01T06:00:32Z 0 +02:00 125.0",
                "activity 2026-07-01T06:00:00Z 60 +02:00 \(activity)",
                "active-energy 2026-07-01T06:00:00Z 60 +02:00 8.0",
                "distance 2026-07-01T06:00:00Z 1 +02:00 3.1", "distance 2026-07-01T06:00:01Z 31 +02:00 5.9",
            ])
    }

    @Test("ING-04d: only distances on foot are taken")
    func cycling() {
        let (batch, report) = read(run(sport: 2).bytes)
        #expect(!batch.measurements.contains { $0.type == .distance })
        #expect(report.skips.contains { $0.hasPrefix("distance not-on-foot 2") })
    }

    @Test("ING-04dh: of a file that was cut what came before is taken, and of one without a length all")
    func cut() {
        let whole = run().bytes
        let cut = read(Array(whole.dropLast(70)))
        #expect(cut.report.failure?.explanation == "The file ends in the middle.")
        #expect(cut.batch.positions.count == 1 && lines(cut.batch).count == 2)
        #expect(cut.report.skips.contains { $0.hasPrefix("distance no-session 2") })
        var unterminated = run()
        unterminated.isUnterminated = true
        #expect(read(unterminated.bytes).batch == read(whole).batch)
    }

    @Test(
        "ING-04dh: a damaged file is said to be, a message without a definition ends it, and the file after it is read")
    func damaged() {
        var bytes = run().bytes
        bytes[bytes.count - 1] ^= 1
        #expect(read(bytes).report.skips.contains { $0.hasPrefix("- malformed-checksum 1") })
        var broken = run()
        broken.addRaw([0x0F, 1, 2, 3])
        let (batch, report) = read(broken.bytes + run().bytes)
        #expect(batch.positions.count == 2 && report.failure == nil)
        #expect(report.skips.contains { $0.hasPrefix("- malformed-undefined 1") })
        #expect(read(run().bytes + Array("junk and more junk".utf8)).report.failure != nil)
    }

    @Test(
        "ING-04d: sessions of several sports at the end of a file: only what was walked or run is taken of the distances"
    )
    func multisport() {
        var file = FITBuilder()
        let start = Self.start
        // A message without fields.
        file.define(0, 0xFF00, [])
        file.add(0, [])
        file.define(1, 20, [(253, 4, 0x86), (5, 4, 0x86)])
        for second in 0...4 { file.add(1, [(start + UInt64(second), 4), (UInt64(second) * 1000, 4)]) }
        // Distances begin anew with each sport.
        for second in 0...3 { file.add(1, [(start + 10 + UInt64(second), 4), (UInt64(second) * 300, 4)]) }
        file.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0)])
        file.add(2, [(start + 5, 4), (start, 4), (100_000, 4), (2, 1)])
        file.add(2, [(start + 20, 4), (start + 10, 4), (10_000, 4), (1, 1)])
        let (batch, report) = read(file.bytes)
        #expect(batch.measurements.filter { $0.type == .distance }.map(\.value) == [3, 3, 3])
        #expect(report.skips.contains { $0.hasPrefix("distance not-on-foot 4") })
    }

    @Test("ING-04d: sessions and laps may stand before the points: energy counts once, and distances on foot are taken")
    func summaryFirst() {
        var file = FITBuilder()
        let start = Self.start
        file.define(0, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84), (5, 1, 0)])
        file.add(0, [(start, 4), (start, 4), (60_000, 4), (8, 2), (1, 1)])
        file.define(1, 19, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84)])
        file.add(1, [(start, 4), (start, 4), (30_000, 4), (5, 2)])
        file.add(1, [(start, 4), (start + 30, 4), (30_000, 4), (3, 2)])
        file.define(2, 20, [(253, 4, 0x86), (5, 4, 0x86)])
        for second in UInt64(0)...2 { file.add(2, [(start + second, 4), (second * 300, 4)]) }
        let (batch, report) = read(file.bytes)
        #expect(report.failure == nil && report.skipped.isEmpty)
        #expect(
            lines(batch) == [
                "activity 2026-07-01T06:00:00Z 60 - \(Activity(.running).value)",
                "active-energy 2026-07-01T06:00:00Z 60 - 8.0", "distance 2026-07-01T06:00:00Z 1 - 3.0",
                "distance 2026-07-01T06:00:01Z 1 - 3.0",
            ])
    }

    @Test("ING-04d: where a session does not tell the energy its laps do, and where not its length its message's time")
    func sessionWithoutTotals() {
        var file = FITBuilder()
        let start = Self.start
        file.define(0, 20, [(253, 4, 0x86), (5, 4, 0x86)])
        for second in UInt64(0)...1 { file.add(0, [(start + second, 4), (second * 300, 4)]) }
        file.define(1, 19, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84)])
        file.add(1, [(start + 30, 4), (start, 4), (30_000, 4), (7, 2)])
        file.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (11, 2, 0x84), (5, 1, 0)])
        file.add(2, [(start + 60, 4), (start, 4), (0xFFFF_FFFF, 4), (0xFFFF, 2), (1, 1)])
        let (batch, report) = read(file.bytes)
        #expect(report.failure == nil && report.skipped.isEmpty)
        #expect(
            lines(batch) == [
                "activity 2026-07-01T06:00:00Z 60 - \(Activity(.running).value)",
                "active-energy 2026-07-01T06:00:00Z 30 - 7.0", "distance 2026-07-01T06:00:00Z 1 - 3.0",
            ])
    }

    @Test("ING-04dh: what follows a file without a length costs none of its laps, distances and zone")
    func unterminatedBeforeJunk() {
        var file = run()
        file.isUnterminated = true
        file.addRaw([0x0F, 1, 2, 3])
        let (batch, report) = read(file.bytes)
        #expect(batch == read(run().bytes).batch && report.failure == nil)
        #expect(report.skips.contains { $0.hasPrefix("- malformed-undefined 1") })
    }

    @Test(
        "ING-04d: a device is named by its maker, as the profile numbers them, and its product",
        arguments: [
            (1, "Garmin 7"), (41, "Shimano 7"), (51, "4iiii 7"), (63, "Specialized 7"), (309, "FORM 7"),
            (326, "Nike 7"), (331, "MyWhoosh 7"),
        ] as [(UInt64, String)])
    func makers(number: UInt64, name: String) {
        var file = FITBuilder()
        file.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84)])
        file.add(0, [(4, 1), (number, 2), (7, 2)])
        file.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        file.add(1, [(Self.start, 4), (120, 1)])
        #expect(read(file.bytes).batch.groups.map(\.source) == [name])
    }

    @Test("ING-04d: courses and workouts are plans, not measurements")
    func plan() {
        var file = FITBuilder()
        file.define(0, 0, [(0, 1, 0x00)])
        file.add(0, [(6, 1)])
        file.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        file.add(1, [(Self.start, 4), (120, 1)])
        let (batch, report) = read(file.bytes)
        #expect(batch == ImportBatch() && report.skips.contains { $0.hasPrefix("- plan 1") })
    }

    @Test(
        "ING-04d: monitoring gives what was added to the totals, sleep the time asleep; scales and cuffs single values")
    func monitoring() {
        var file = FITBuilder()
        let start = Self.start
        file.define(0, 103, [(253, 4, 0x86), (0, 4, 0x86)])
        file.add(0, [(start, 4), (start + 3600, 4)])
        file.define(1, 55, [(253, 4, 0x86), (5, 1, 0), (3, 4, 0x86), (2, 4, 0x86), (19, 2, 0x84)])
        file.add(1, [(start, 4), (6, 1), (100, 4), (8000, 4), (5, 2)])
        file.add(1, [(start + 600, 4), (6, 1), (350, 4), (28_000, 4), (9, 2)])
        file.define(2, 55, [(26, 2, 0x84), (27, 1, 0x02)])
        file.add(2, [((start + 660) & 0xFFFF, 2), (61, 1)])
        file.define(3, 275, [(253, 4, 0x86), (0, 1, 0)])
        file.add(3, [(start + 1000, 4), (2, 1)])
        file.add(3, [(start + 1600, 4), (1, 1)])
        file.add(3, [(start + 2200, 4), (1, 1)])
        file.define(4, 30, [(253, 4, 0x86), (0, 2, 0x84)])
        file.add(4, [(start, 4), (7250, 2)])
        file.define(5, 51, [(253, 4, 0x86), (0, 2, 0x84), (1, 2, 0x84), (6, 1, 0x02)])
        file.add(5, [(start, 4), (121, 2), (79, 2), (255, 1)])
        file.define(6, 227, [(0, 2, 0x83), (1, 4, 0x86)])
        file.add(6, [(33, 2), (start, 4)])
        file.add(6, [(UInt64(bitPattern: -1), 2), (start + 180, 4)])
        file.define(7, 297, [(253, 4, 0x86), (0, 2, 0x83)])
        file.add(7, [(start, 4), (1433, 2)])
        file.define(8, 269, [(253, 4, 0x86), (0, 1, 0x02)])
        file.add(8, [(start, 4), (96, 1)])
        let (batch, report) = read(file.bytes)
        #expect(report.failure == nil)
        // The file does not begin at midnight.
        #expect(report.skipped.map(\.type) == [.steps, .distance, .activeEnergy])
        #expect(report.skipped.allSatisfy { $0.reason == "first-total" && $0.count == 1 })
        #expect(
            lines(batch) == [
                "steps 2026-07-01T06:00:00Z 600 +01:00 250.0", "distance 2026-07-01T06:00:00Z 600 +01:00 200.0",
                "active-energy 2026-07-01T06:00:00Z 600 +01:00 4.0", "heart-rate 2026-07-01T06:11:00Z 0 +01:00 61.0",
                "sleep 2026-07-01T06:16:40Z 600 +01:00 10.0", "weight 2026-07-01T06:00:00Z 0 +01:00 72.5",
                "blood-pressure-systolic 2026-07-01T06:00:00Z 0 +01:00 121.0",
                "blood-pressure-diastolic 2026-07-01T06:00:00Z 0 +01:00 79.0",
                "stress-level 2026-07-01T06:00:00Z 0 +01:00 33.0",
                "respiration-rate 2026-07-01T06:00:00Z 0 +01:00 14.33",
                "oxygen-saturation 2026-07-01T06:00:00Z 0 +01:00 96.0",
            ])
    }

    @Test("ING-04d: monitoring that begins at local midnight counts from 0, each total from when it was told last")
    func monitoringFromMidnight() {
        var file = FITBuilder()
        let midnight = Self.start - 8 * 3600
        file.define(0, 103, [(253, 4, 0x86), (0, 4, 0x86)])
        file.add(0, [(midnight, 4), (midnight + 7200, 4)])
        file.define(1, 55, [(253, 4, 0x86), (5, 1, 0), (3, 4, 0x86)])
        file.add(1, [(midnight + 600, 4), (6, 1), (100, 4)])
        file.define(2, 55, [(253, 4, 0x86), (5, 1, 0), (19, 2, 0x84)])
        file.add(2, [(midnight + 3600, 4), (6, 1), (50, 2)])
        file.add(1, [(midnight + 7200, 4), (6, 1), (150, 4)])
        let (batch, report) = read(file.bytes)
        #expect(report.failure == nil && report.skipped.isEmpty)
        #expect(
            lines(batch) == [
                "steps 2026-06-30T22:00:00Z 600 +02:00 100.0", "active-energy 2026-06-30T22:00:00Z 3600 +02:00 50.0",
                "steps 2026-06-30T22:10:00Z 6600 +02:00 50.0",
            ])
    }

    @Test(
        "ING-04d NFR-02: messages of no bytes are passed over, fields of no bytes are none, and of two the first counts"
    )
    func withoutBytes() {
        let start = Self.start
        var empty = FITBuilder()
        empty.define(1, 20, [(253, 4, 0x86), (3, 1, 2)])
        empty.add(1, [(start, 4), (120, 1)])
        empty.define(0, 20, [])
        empty.define(2, 20, [(3, 0, 2)])
        for _ in 0..<1000 { empty.add(0, []) }
        let (batch, report) = read(empty.bytes + run().bytes)
        let whole = read(run().bytes).batch
        #expect(batch.measurements.count == 1 + whole.measurements.count)
        #expect(report.failure == nil && report.skipped.isEmpty)
        var file = FITBuilder()
        file.define(0, 20, [(253, 4, 0x86)] + (0..<250).map { _ in (3, 0, 2) } + [(3, 1, 2), (3, 1, 2)])
        file.add(0, [(start, 4), (120, 1), (130, 1)])
        #expect(read(file.bytes).batch.measurements.map(\.value) == [120])
    }

    @Test("ING-04: pieces of any length make no difference")
    func pieces() {
        let bytes = run().bytes + run(sport: 2).bytes
        let whole = read(bytes)
        for length in 1...100 {
            let pieces = read(bytes, pieceBytes: length)
            #expect(pieces.batch == whole.batch && pieces.report == whole.report)
        }
    }
}
