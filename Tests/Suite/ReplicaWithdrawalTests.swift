import Contracts
import Domain
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    /// Two replicas of query on one database, and people who withdraw while data flows through both.
    @Suite struct ReplicaWithdrawalTests {
        /// Data is permitted for a second at a time; the rest is for a machine that has much else to do.
        private static let answerMax = Duration.seconds(5)
        private static let ahead = 20

        @Test(
            "NFR-03b SUB-02a SUB-02b REQ-10b: two replicas of query: one cursor serves at both, and no byte of a person comes on either after the answer to the withdrawal",
            .timeLimit(.minutes(5)))
        func withdrawn() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let people = try await suite.followed(3, by: program, &newcomers)
                try await suite.withReplica(of: .query) { replica in
                    let other = try suite.client(through: replica)
                    let both = [program, API(other, token: program.token)]
                    let book = EventBook()
                    try await book.reading(EventBook.pages(both[0], both[1], limit: 5)) {
                        let all = try both.map { try $0.eventStream() }
                        try await uploading(people, book) {
                            // Each at another replica.
                            for (leaving, home) in zip(people, [suite.client, other]) {
                                try await withdraw(leaving, at: home, both, all, staying: people[2], suite)
                            }
                        }
                        try await book.reached(people[2].count, of: people[2].request)
                        for stream in all { stream.stop() }
                    }
                    try await check(book, people, both)
                    await other.close()
                }
            }
        }

        /// Runs `body` while all upload, also those who have withdrawn; the last one's uploads are read on.
        private func uploading(_ people: [Followed], _ book: EventBook, _ body: () async throws -> Void) async throws {
            let stop = EventCounter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while stop.value == 0 {
                        for person in people { try await person.upload() }
                        try await book.reached(people[2].count - Self.ahead, of: people[2].request)
                    }
                }
                try await body()
                stop.raise()
                try await group.waitForAll()
            }
        }

        /// `all`: the streams of all events, at each replica.
        private func withdraw(
            _ leaving: Followed, at home: Suite, _ both: [API], _ all: [EventStream], staying: Followed,
            _ suite: RunningSuite
        ) async throws {
            let own = try both.map { try $0.stream(of: leaving.request, after: API.eventsBeginning) }
            let last = leaving.times[leaving.count - 1]
            for stream in own {
                _ = try await stream.first(within: .patience, "data of now") { event in
                    (try? event.content.times.contains { $0 >= last }) ?? false
                }
            }
            for stream in all { try await comes(leaving, on: stream) }
            let watch = Stopwatch()
            try await API(home, token: leaving.individual.api.token).decide("withdrawal", on: leaving.request)
            let elapsed = watch.elapsed
            // What was written before the answer is taken up here: our loop looks at all connections in between.
            _ = try await suite[.query].ask("/healthz")
            let (ownBytes, allBytes) = (own.map(\.byteCount), all.map { Self.bytes(of: leaving, on: $0) })
            #expect(elapsed < Self.answerMax)
            // Streams of this request break off at both, those of all go on without it.
            for stream in own { _ = try await stream.waitForEnd(within: .patience) }
            for stream in all {
                _ = try await stream.first(within: .patience, "the withdrawal") { event in
                    event.name == "request.withdrawn" && event.data.contains(leaving.request.description)
                }
                try await comes(staying, on: stream)
            }
            #expect(own.map(\.byteCount) == ownBytes)
            #expect(all.map { Self.bytes(of: leaving, on: $0) } == allBytes)
            for program in both {
                do throws(SuiteError) {
                    _ = try await program.data(of: leaving.request)
                    Issue.record("data of somebody who has withdrawn")
                } catch { #expect(error.code == "consent-withdrawn") }
            }
        }

        /// What this person uploads from now on comes.
        private func comes(_ person: Followed, on stream: EventStream) async throws {
            let (request, last) = (person.request, person.times[person.count - 1])
            let seen = stream.events.count
            _ = try await stream.first(from: seen, within: .patience, "what is uploaded now") { event in
                guard let content = try? event.content, content.requestID == request else { return false }
                return content.times.contains { $0 > last }
            }
        }

        private static func bytes(of person: Followed, on stream: EventStream) -> Int {
            let request = person.request.description
            return stream.events.filter { $0.name == "data.samples" && $0.data.contains(request) }
                .reduce(0) { $0 + $1.data.utf8.count }
        }

        /// Of who stays everything was read once, in order; of who has left what came before, and nothing twice.
        private func check(_ book: EventBook, _ people: [Followed], _ both: [API]) async throws {
            try await book.readOn(as: both[1])
            let ids = book.events.map(\.id)
            #expect(Set(ids).count == ids.count)
            #expect(book.times(of: people[2].request) == people[2].times)
            for person in people[..<2] {
                let times = book.times(of: person.request)
                #expect(times.count < person.count)
                #expect(person.times.starts(with: times))
                let outcomes = book.events.filter { $0.requestID == person.request && $0.series == nil }.map(\.type)
                #expect(outcomes == ["request.accepted", "request.withdrawn"])
            }
        }
    }
}
