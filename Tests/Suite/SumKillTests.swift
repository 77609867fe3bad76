import Contracts
import Domain
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    /// Query killed while it gives sums, and changed ones again.
    @Suite struct SumKillTests {
        private static let minutes = 40
        private static let rounds = 3

        @Test(
            "NFR-03b SUB-01b SUB-02e: sums of minutes through kills of query: each is given, and again when it changes; the last ones are what My Health says",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let person = try await suite.individual(newcomers.person(birthYears: 1960...1990))
                let device = try await person.pairDevice(name: "Watch", types: [.heartRate])
                let hour = Timestamp.now().milliseconds - 3_600_000
                let began = Timestamp(milliseconds: hour - hour % 60_000)
                let end = began + .seconds(60 * Self.minutes)

                // Every other minute, so that each is an event of its own.
                try await upload(device, from: began, stride(from: 0, to: Self.minutes, by: 2), at: [5, 35])
                _ = try await Followed.follow(person, by: program, granularity: "minute")
                let book = EventBook()
                try await book.reading(EventBook.stream(program)) {
                    var seen = 0
                    for round in 1...Self.rounds {
                        try await book.reached(events: seen + 1)
                        suite[.query].kill()
                        // Minutes between those, and again in some that were given.
                        try await upload(
                            device, from: began, stride(from: round, to: Self.minutes, by: 4), at: [15, 50])
                        seen = book.events.count
                        try await suite[.query].start()
                    }
                    try await eventually("the sums that were given are those of My Health") {
                        let shown = try await person.api.minutes(of: .heartRate, from: began, to: end)
                        return Self.agree(try Self.given(book.events), shown)
                    }
                }
                let shown = try await person.api.minutes(of: .heartRate, from: began, to: end)
                #expect(shown.reduce(0) { $0 + $1.count } == 2 * (Self.minutes / 2 + Self.rounds * Self.minutes / 4))
                try await book.readOn(as: program)
                #expect(Self.agree(try Self.given(book.events), shown))
                let ids = book.events.map(\.id)
                #expect(Set(ids).count == ids.count)
            }
        }

        /// In some minutes, at these seconds of each; other values each time.
        private func upload(
            _ device: Device, from began: Timestamp, _ minutes: StrideTo<Int>, at seconds: [Int]
        ) async throws {
            for minute in minutes {
                for second in seconds {
                    let time = began + .seconds(60 * minute + second)
                    try await device.upload([.heartRate(60 + Double((minute * 7 + second) % 50), at: time)])
                }
            }
        }

        /// What holds after all events: sums of a span take the place of all that were given for it before.
        private static func given(_ events: [ReceivedEvent]) throws -> [SampleSum] {
            var buckets: [Timestamp: SampleSum] = [:]
            for sums in events.flatMap({ $0.sums ?? [] }) {
                try #require(sums.type == .heartRate && sums.granularity == "minute")
                buckets = buckets.filter { !(sums.from..<sums.to).contains($0.key) }
                for bucket in sums.buckets {
                    try #require((sums.from..<sums.to).contains(bucket.start))
                    buckets[bucket.start] = bucket
                }
            }
            return buckets.values.sorted { $0.start < $1.start }
        }

        private static func agree(_ given: [SampleSum], _ shown: [SampleSum]) -> Bool {
            given.count == shown.count
                && zip(given, shown).allSatisfy { given, shown in
                    guard let mean = given.mean, let other = shown.mean else { return false }
                    return given.start == shown.start && given.count == shown.count && given.min == shown.min
                        && given.max == shown.max && abs(mean - other) < 1e-9
                }
        }
    }
}
