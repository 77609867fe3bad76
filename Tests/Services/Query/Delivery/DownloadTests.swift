import Contracts
import Domain
import JSON
import OpenAPITesting
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import HTTP
@testable import Query

@Suite struct DownloadTests {
    @Test(
        "REQ-12b NFR-09: a link gets a file of a span of the period, as CSV and as JSON by lines, and the log says so")
    func span() async throws {
        try await World.with { world in
            // The second sample of each is measured at the end of the span, which is not included.
            for day in 0..<3 {
                world.neighbours.arrive(
                    World.heartRates([Double(60 + day), 99], at: World.start + .seconds(Int64(day) * 86_400)),
                    of: world.person)
            }
            let id = try await world.askAndAccept()
            let span = "from=2025-07-01T12:00:00Z&to=2025-07-02T12:00:01Z"
            let csv = try await world.asCompany(.get, "/requests/\(id)/data?format=csv&\(span)")
            #expect(
                csv.text == """
                    type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset\r
                    heart-rate,2025-07-01T12:00:00Z,60,/min,,,,,,,\r
                    heart-rate,2025-07-01T12:00:01Z,99,/min,,,,,,,\r
                    heart-rate,2025-07-02T12:00:00Z,61,/min,,,,,,,\r

                    """)
            world.clock.advance(by: .seconds(1))
            let lines = try await world.asCompany(.get, "/requests/\(id)/data?format=ndjson&\(span)")
            let series = try lines.text.split(separator: "\n").map { line in
                try JSONDecoder().decode(SampleSeries.self, from: Array(line.utf8))
            }
            #expect(series.map(\.values) == [[60, 99], [61]])
            #expect(series.map(\.start) == [World.start, World.start + .seconds(86_400)])
            let log = try await world.deliveryLog()
            #expect(log.map { $0["way"]?.text } == ["download", "download"])
            #expect(log.map { $0["samples"]?.integer } == [3, 3])
            let response = try await world.service.call(
                .get, "/query/v1/requests/\(id)/data?format=ndjson",
                token: world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"]),
                fields: ["Accept": "text/html,*/*;q=0.8"])
            #expect(response.contentType == .ndjson)
            #expect(response.fields["content-disposition"] == "attachment; filename=\"trackme-\(id).ndjson\"")
        }
    }

    @Test(
        "REQ-12b: pages of a span; one that is empty, upside down or outside of the period is refused, and so are cursors of files"
    )
    func refused() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            let id = try await world.askAndAccept()
            let page = try await world.asCompany(.get, "/requests/\(id)/data?to=2025-07-01T12:00:01Z")
            #expect(page["series"]?.items.first?["values"]?.items.map(\.double) == [61])
            // The period is from June to August.
            for query in [
                "from=2025-07-02T00:00:00Z&to=2025-07-01T00:00:00Z", "from=2025-09-01T00:00:00Z",
                "to=2025-06-01T00:00:00Z", "format=csv&to=2025-06-01T00:00:00Z", "from=yesterday", "format=xml",
                "format=csv&cursor=0", "format=ndjson&limit=1",
            ] {
                let answer = try await world.asCompany(.get, "/requests/\(id)/data?\(query)")
                #expect(answer.status == 422 && answer.code == "invalid-request", "\(query): \(answer.text)")
            }
            // A longer one is cut to the period.
            let all = try await world.asCompany(
                .get, "/requests/\(id)/data?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z")
            #expect(all["series"]?.items.first?["values"]?.items.map(\.double) == [61, 62])
        }
    }
}
