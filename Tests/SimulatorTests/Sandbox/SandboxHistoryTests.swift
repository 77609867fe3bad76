import Contracts
import Domain
import Primitives
import SuiteClient
import Testing

@testable import Simulator

@Suite("What people of the sandbox have measured before")
struct SandboxHistoryTests {
    private let person = SandboxPopulation.people(1)[0]

    private func uploads(_ time: String) throws -> [(number: Int, series: [SampleSeries])] {
        SandboxHistory.uploads(of: person, 0, .accepts, at: try #require(Timestamp(time)))
    }

    @Test("each day is an upload of its own number, and the same whenever it is sent, but for today's")
    func days() throws {
        let first = try uploads("2026-11-20T10:00:00Z")
        let today = Int(try #require(CalendarDate("2026-11-20")).daysSinceEpoch)
        #expect(first.map(\.number) == [today - 2, today - 1, today])
        #expect(first.allSatisfy { !$0.series.isEmpty })
        let later = try uploads("2026-11-20T15:00:00Z")
        #expect(later.map(\.number) == first.map(\.number))
        for day in 0..<2 { #expect(later[day].series == first[day].series) }
        #expect(later[2].series != first[2].series)
        // So nothing is stored twice, and no day is left out, when the next start is on another day.
        let next = try uploads("2026-11-21T10:00:00Z")
        #expect(next.map(\.number) == [today - 1, today, today + 1])
        #expect(next[0].series == first[1].series)
    }

    @Test(
        "what was not measured while the suite stood still is made good: two days and today at most, and nothing twice")
    func missing() throws {
        let now = try #require(Timestamp("2026-11-20T10:00:00Z"))
        func missing(since time: Timestamp) -> [[SampleSeries]] {
            SandboxHistory.missing(of: person, 0, .fast, since: time, at: now)
        }
        func ends(_ days: [[SampleSeries]]) -> [Timestamp] {
            days.joined().flatMap { one in
                (0..<one.count).map { one.time($0) + .milliseconds(one.durations?[$0] ?? 0) }
            }
        }
        // For months: a day before now there is enough for whoever asks for a day.
        let all = missing(since: now - .seconds(90 * 86_400))
        #expect(all == (try uploads("2026-11-20T10:00:00Z")).map(\.series))
        let rates = all.joined().filter { $0.type == .heartRate }.flatMap { one in (0..<one.count).map { one.time($0) }
        }
        #expect(rates.count { $0 > now - .seconds(86_400) } > 1000)
        // For some hours: what ended until then is stored already.
        let time = now - .seconds(6 * 3600)
        let some = ends(missing(since: time))
        #expect(!some.isEmpty && some.allSatisfy { $0 > time && $0 < now })
        #expect(some.count == ends(all).count { $0 > time })
        #expect(missing(since: now).isEmpty && missing(since: now + .seconds(60)).isEmpty)
    }

    @Test("of who measures the heart rate alone there is nothing else")
    func little() throws {
        let now = try #require(Timestamp("2026-11-20T10:00:00Z"))
        let types = SandboxHistory.uploads(of: person, 0, .little, at: now).flatMap { $0.series.map(\.type) }
        #expect(Set(types) == [.heartRate])
    }
}
