import Contracts
import Domain
import Glibc
import JSON
import Primitives
import ProcessTesting
import Reactor
import SeededRandom
import ServiceTesting
import Testing

@testable import Query

/// Samples that are written in the forms, and the programs that read them.
enum FormSamples {
    static let request = UUID(high: 0x1234_5678_9abc_4def, low: 0x8123_4567_89ab_cdef)
    static let subject = "urn:uuid:\(request)"
    static let start = Timestamp("2026-03-28T23:30:00Z")!

    static func heartRates(_ values: [Double], at start: Timestamp = start, zone: String? = nil) -> SampleSeries {
        SampleSeries(
            type: .heartRate, start: start, offsets: values.indices.map { Int64($0) * 1500 },
            zoneOffset: zone.flatMap { ZoneOffset($0) }, values: values)
    }

    static func pressures(
        _ type: DataType, _ values: [Double], at start: Timestamp = start, every milliseconds: Int64 = 60_000
    ) -> SampleSeries {
        SampleSeries(
            type: type, start: start, offsets: values.indices.map { Int64($0) * milliseconds }, values: values)
    }

    /// Every data type with values at the ends of what is plausible and between, in several zones, as instants and intervals, with and
    /// without contact. Times of blood pressures agree.
    static func all(at start: Timestamp = start) -> [SampleSeries] {
        let zones = [nil, "Z", "+02:00", "-03:30", "+14:00", "-18:00"].map { $0.flatMap { ZoneOffset($0) } }
        return zones.enumerated().flatMap { number, zone in
            DataType.allCases.map { type in
                series(type, at: start.adding(milliseconds: Int64(number) * 3_600_000), zone)
            }
        }
    }

    private static func series(_ type: DataType, at start: Timestamp, _ zone: ZoneOffset?) -> SampleSeries {
        if type == .position {
            return SampleSeries(
                type: type, start: start, offsets: [0, 1, 60_000], zoneOffset: zone,
                latitudes: [45.464_203_1, -33.8688, 0.000_000_1], longitudes: [9.19, -70.5, 180],
                altitudes: [nil, 120.45, -3], accuracies: [5, nil, 12])
        }
        var random = SeededGenerator(seed: UInt64(type.rawValue))
        var values = [type.plausible.upperBound, type.plausible.lowerBound]
        for _ in 0..<8 { values.append(type.value(scaled: type.scaled(random.value(in: type.plausible)))) }
        return SampleSeries(
            type: type, start: start, offsets: values.indices.map { Int64($0) * 90_001 },
            durations: type.kind == .rate ? nil : values.indices.map { $0 == 2 ? 0 : Int64($0 + 1) * 60_000 },
            zoneOffset: zone, values: values,
            contact: type == .heartRate ? values.indices.map { $0 != 3 } : nil)
    }

    static func fhir(
        _ series: [SampleSeries], as statistic: ReadingStatistic? = nil, of request: UUID = request
    ) throws -> String {
        var observations = FHIRObservations(of: request, subject: subject)
        return String(
            decoding: try observations.lines(of: series, as: statistic) + observations.finish(), as: UTF8.self)
    }

    static func openMHealth(_ series: [SampleSeries], as statistic: ReadingStatistic? = nil) throws -> String {
        var points = OpenMHealthPoints(of: request, subject: subject)
        return String(decoding: try points.lines(of: series, as: statistic) + points.finish(), as: UTF8.self)
    }

    static func parsed(_ lines: String) throws -> [JSONValue] {
        try lines.split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Array($0.utf8)) }
    }

    /// What `Tests/Forms/check.py` says of each file: `good`, or what is wrong.
    static func check(_ form: String, _ files: [String]) async throws -> [String] {
        let python = String(
            cString: try #require(
                getenv("TRACKME_TEST_FORMS"), "TRACKME_TEST_FORMS is not set: run deploy/test, which sets it"))
        let script = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Forms/check.py"
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let paths = try files.enumerated().map { try directory.write("\($0).ndjson", $1) }
                let output = directory.file("output")
                let process = try await ChildProcess.start([python, "-B", script, form] + paths, output: output)
                let ending = try await process.waitForEnd(within: .seconds(120))
                let verdicts = try directory.read("output")
                guard ending == .exited(0) else { return ["\(ending): \(verdicts)"] }
                return verdicts.split(separator: "\n").map(String.init)
            }
        }
    }

    /// What it says of a line, and of the same with a part replaced: all but the first have to be refused.
    static func checkSpoiled(_ form: String, _ line: String, _ changes: [(String, String)]) async throws {
        let spoiled = changes.map { line.replacing($0, with: $1) }
        let verdicts = try await check(form, [line] + spoiled)
        try #require(verdicts.count == spoiled.count + 1, "\(verdicts)")
        #expect(verdicts[0] == "good")
        for (change, verdict) in zip(changes, verdicts.dropFirst()) {
            #expect(verdict.hasPrefix("line 1: "), "\(change)")
        }
    }
}
