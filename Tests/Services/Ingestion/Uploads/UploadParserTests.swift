import Contracts
import Domain
import JSON
import Primitives
import Testing

@testable import Ingestion

@Suite struct UploadParserTests {
    private static let limits = JSONLimits(depthMax: 8, bytesMax: 1 << 20, valuesMax: 10_000)

    private func codec(_ bytes: [UInt8]) -> (upload: UploadRequest, unknown: Int)? {
        let decoder = JSONDecoder(limits: Self.limits, refusesControlCharacters: true)
        guard let (upload, unknown) = try? decoder.decodeCounting(UploadRequest.self, from: bytes) else { return nil }
        return (upload, unknown)
    }

    @Test("ING-02: what the parser of uploads reads, the general codec reads in the same way", arguments: 1...8)
    func agrees(seed: UInt64) {
        var texts = UploadTexts(seed: seed)
        var (read, left) = (0, 0)
        for _ in 0..<2500 {
            let text = texts.next()
            let bytes = Array(text.utf8)
            let expected = codec(bytes)
            guard let found = UploadParser.upload(bytes, limits: Self.limits) else {
                left += 1
                continue
            }
            read += 1
            guard let expected else {
                Issue.record("only the parser reads \(text)")
                return
            }
            let isSame =
                found.unknown == expected.unknown && found.upload.upload == expected.upload.upload
                && found.upload.sentAt == expected.upload.sentAt
                && found.upload.series.elementsEqual(expected.upload.series, by: areSame)
            guard isSame else {
                Issue.record("read differently: \(text)")
                return
            }
        }
        // Both ways are gone often enough to say something.
        #expect(read > 1000 && left > 200)
    }

    @Test("ING-02b: null is a sample without a value, on both ways to read it")
    func nulls() throws {
        let plain = #"{"upload":1,"sent_at":"2026-11-20T10:00:00Z","series":[\#(Self.heartRates),\#(Self.positions)]}"#
        let escaped = plain.replacing("heart-rate", with: #"heart\u002drate"#)
        #expect(UploadParser.upload(Array(escaped.utf8), limits: Self.limits) == nil)
        let direct = try #require(UploadParser.upload(Array(plain.utf8), limits: Self.limits)).upload
        let coded = try #require(codec(Array(escaped.utf8))).upload
        for upload in [direct, coded] {
            let checked = SampleValidator.validated(
                upload.series, clock: SampleClock(now: Timestamp("2026-11-20T10:00:00Z")!))
            #expect(checked.batch.count == 3 && checked.refusedCount == 2)
            #expect(checked.refused.map(\.series) == [0, 1] && checked.refused.map(\.index) == [1, 0])
            #expect(checked.refused.allSatisfy { $0.reason == "no-value" })
            #expect(checked.batch.values.map(\.values) == [[610, 620]])
        }
    }

    private static let heartRates =
        #"{"type":"heart-rate","start":"2026-11-20T09:59:00Z","offsets_ms":[0,1000,2000],"values":[61,null,62]}"#
    private static let positions =
        #"{"type":"position","start":"2026-11-20T09:59:00Z","offsets_ms":[0,1000],"latitudes":[null,45],"longitudes":[9,9]}"#

    @Test("ING-02b: a column that holds something else than numbers sinks its series, with the words of the codec")
    func shapes() throws {
        for column in ["[61,\"62\"]", "[61,true]", "{}", "7"] {
            let text =
                #"{"upload":1,"sent_at":"2026-11-20T10:00:00Z","series":[{"type":"heart-rate","start":"2026-11-20T09:59:00Z","offsets_ms":[0,1],"values":\#(column)}]}"#
            #expect(UploadParser.upload(Array(text.utf8), limits: Self.limits) == nil)
            guard case .unreadable(_, let explanation)? = codec(Array(text.utf8))?.upload.series.first else {
                Issue.record("\(column) is read")
                continue
            }
            #expect(explanation.contains("$.series[0].values"))
        }
    }

    private func areSame(_ left: UploadedSeries, _ right: UploadedSeries) -> Bool {
        guard case .read(let leftSent) = left, case .read(let rightSent) = right else { return false }
        let (left, right) = (leftSent.series, rightSent.series)
        return left.type == right.type && left.unit == right.unit && left.start == right.start
            && left.offsets == right.offsets && left.durations == right.durations
            && left.zoneOffset == right.zoneOffset && left.contact == right.contact
            && areSame(left.values, right.values) && areSame(left.latitudes, right.latitudes)
            && areSame(left.longitudes, right.longitudes) && left.altitudes == right.altitudes
            && left.accuracies == right.accuracies
    }

    /// A column may hold what is no number.
    private func areSame(_ left: [Double]?, _ right: [Double]?) -> Bool {
        left?.map(\.bitPattern) == right?.map(\.bitPattern)
    }
}
