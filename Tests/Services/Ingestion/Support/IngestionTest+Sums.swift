import Contracts
import Domain
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

extension IngestionTest {
    /// All pages of an answer; each but the last says where the next one begins.
    func aggregate(
        _ account: UUID, _ types: [DataType], _ granularity: Ingestion.Granularity, from: Timestamp, to: Timestamp,
        limit: Int = Ingestion.Aggregate.bucketsMax, startFrom: Timestamp? = nil, startTo: Timestamp? = nil
    ) async throws -> [DataType: [Ingestion.Aggregate.Bucket]] {
        var (found, start) = ([DataType: [Ingestion.Aggregate.Bucket]](), startFrom)
        for _ in 0..<10_000 {
            let result = try await service.rpc(as: "query").call(
                Ingestion.Aggregate.self,
                .init(
                    accountID: account, types: types, granularity: granularity, from: from, to: to, startFrom: start,
                    startTo: startTo, limit: limit, reason: .test))
            #expect(result.series.reduce(0) { $0 + $1.buckets.count } <= limit)
            #expect(result.series.map(\.type.rawValue) == result.series.map(\.type.rawValue).sorted())
            for series in result.series {
                #expect(!series.buckets.isEmpty && series.unit == series.type.unit.description)
                found[series.type, default: []] += series.buckets
                for bucket in series.buckets {
                    #expect(bucket.start >= from && bucket.end <= to && bucket.start < bucket.end)
                    if let start { #expect(bucket.start >= start) }
                    if let next = result.next { #expect(bucket.start < next) }
                }
            }
            guard let next = result.next else { return found }
            #expect(start.map { $0 < next } ?? true)
            start = next
        }
        Issue.record("the answer does not end")
        return found
    }

    /// All that arrived after a cursor has touched.
    func touched(
        _ account: UUID, _ types: [DataType], _ granularity: Ingestion.Granularity, from: Timestamp, to: Timestamp,
        after: Ingestion.ReadCursor = .beginning, limit: Int = Ingestion.Touched.spansMax
    ) async throws -> (spans: [DataType: [Ingestion.Touched.Span]], next: Ingestion.ReadCursor) {
        var (found, next) = ([DataType: [Ingestion.Touched.Span]](), after)
        for _ in 0..<10_000 {
            let result = try await service.rpc(as: "query").call(
                Ingestion.Touched.self,
                .init(
                    accountID: account, types: types, granularity: granularity, from: from, to: to, after: next,
                    limit: limit, reason: .test))
            for series in result.series {
                #expect(series.spans.allSatisfy { $0.start >= from && $0.end <= to && $0.start < $0.end })
                found[series.type, default: []] += series.spans
            }
            next = result.next
            guard result.hasMore else { return (found, next) }
        }
        Issue.record("reading does not end")
        return (found, next)
    }

    /// The person's zone, and the order of the sources of some data types.
    func settle(
        _ account: UUID, in zone: String, _ preferred: [SourcePreference] = [], version: Int64 = 1
    ) async throws {
        try await change(
            version,
            .init(
                accountID: account, kind: .individual, subject: 7,
                person: .init(
                    zone: TimeZoneName(zone)!, language: .english, birthDate: CalendarDate("1980-01-01")!,
                    sex: .female, preferredSources: preferred)))
    }
}

/// One sample that lasts for some time.
func interval(
    _ type: DataType, _ value: Double, _ start: String, minutes: Int64, zone: Int? = nil
) -> SampleSeries {
    SampleSeries(
        type: type, start: Timestamp(start)!, offsets: [0], durations: [minutes * 60_000],
        zoneOffset: zone.flatMap(ZoneOffset.init(minutes:)), values: [value])
}

/// Whether amounts are as expected, but for how a part of an interval is rounded.
func areNear(_ found: [Double?], _ expected: [Double]) -> Bool {
    found.count == expected.count
        && zip(found, expected).allSatisfy { found, expected in
            found.map { abs($0 - expected) < 0.11 } ?? false
        }
}
