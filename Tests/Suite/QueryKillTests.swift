import Contracts
import Domain
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    @Suite struct QueryKillTests {
        private static let killCount = 3
        /// Uploads before and during each outage.
        private static let uploadCount = 5

        @Test(
            "NFR-03b NFR-04a SUB-02e REQ-05: query killed beside an accepted stream: it goes on at its cursor, nothing lost or doubled",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let person = try await suite.individual(newcomers.person(birthYears: 1980...1990))
                let device = try await person.pairDevice(name: "Watch", types: [.heartRate])
                let uploads = Uploads(device)
                // Requests are for what is there (REQ-03).
                try await uploads.send(1)
                let request = try await ask(program, about: person)
                try await person.api.decide("acceptance", on: request)
                // What was answered holds.
                suite[.query].kill()
                try await suite[.query].start()
                try await suite.answers(.query)

                let received = Ledger<Received>()
                let loop = try #require(EventLoop.current)
                let reader = loop.throwingTask { try await follow(request, by: program, suite, received) }
                for kill in 1...Self.killCount {
                    try await uploads.send(Self.uploadCount)
                    // The stream is open, and some of it under way.
                    try await received.reached((kill - 1) * 2 * Self.uploadCount + 2)
                    suite[.query].kill()
                    try await uploads.send(Self.uploadCount)
                    try await suite[.query].start()
                }
                try await uploads.send(1)
                let count = uploads.times.count
                try await received.reached(count)
                // Whatever came twice has come before a last one.
                try await device.upload([.heartRate(Uploads.last)])
                try await reader.value
                #expect(received.books.acknowledged.map(\.time).sorted() == uploads.times)
                #expect(received.books.unknown.isEmpty, "doubled")
                try await checkPages(program, request, uploads)
            }
        }

        private func ask(_ program: API, about person: Individual) async throws -> UUID {
            let now = Timestamp.now()
            return try await program.createRequest(
                RequestForm(
                    fiscalCode: person.fiscalCode, dataTypes: [.heartRate], from: Timestamp(milliseconds: 0),
                    to: now + .seconds(86_400), mode: "subscription", reason: "A study")
            ).id
        }

        /// Follows the stream from its beginning to the last value; after each break from the last event's id on. What
        /// comes twice goes into the books as unknown.
        private func follow(
            _ request: UUID, by program: API, _ suite: RunningSuite, _ received: Ledger<Received>
        ) async throws {
            var cursor = "0"
            while true {
                try await suite.answers(.query)
                let stream = try program.stream(of: request, after: cursor)
                var next = 0
                while true {
                    let event: EventStream.Event
                    do throws(SuiteError) {
                        (event, next) = try await stream.first(from: next, within: .patience, "An update") {
                            $0.name == "data.samples"
                        }
                    } catch {
                        guard stream.end != nil else { throw error }
                        break
                    }
                    cursor = try #require(event.id)
                    for series in try event.content.series ?? [] {
                        for (index, value) in (series.values ?? []).enumerated() {
                            guard value != Uploads.last else { return stream.stop() }
                            let sample = Received(time: series.time(index))
                            received.change {
                                if !$0.acknowledged.insert(sample).inserted { $0.unknown.insert(sample) }
                            }
                        }
                    }
                }
            }
        }

        /// Who polls gets the same.
        private func checkPages(_ program: API, _ request: UUID, _ uploads: Uploads) async throws {
            var times: [Timestamp] = []
            var page = try await program.data(of: request, limit: 10)
            while true {
                for series in page.series { times += (0..<series.count).map { series.time($0) } }
                guard page.hasMore else { break }
                page = try await program.data(of: request, after: page.next, limit: 10)
            }
            #expect(times.sorted().dropLast() == uploads.times[...])
        }
    }
}

private struct Received: Hashable {
    let time: Timestamp
}

/// One heart rate each, a second apart, from an hour ago on.
private final class Uploads {
    /// The value of the last one of all.
    static let last = 199.0

    private let device: Device
    private let began = Timestamp.now().wholeMilliseconds - .seconds(3600)
    private(set) var times: [Timestamp] = []

    init(_ device: Device) {
        self.device = device
    }

    func send(_ count: Int) async throws {
        for _ in 0..<count {
            let time = began + .seconds(times.count)
            try await device.upload([.heartRate(70 + Double(times.count), at: time)])
            times.append(time)
        }
    }
}
