import Contracts
import Domain
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    /// Processes killed while a third party reads its events, all of them by one cursor.
    @Suite struct EventKillTests {
        private static let queryKills = 10
        private static let ingestionKills = 2
        /// Samples between two of them.
        private static let step = 20
        private static let peopleCount = 3

        @Test(
            "NFR-03b NFR-04a SUB-02a SUB-02e: pages by a cursor while query, ingestion and accounts are killed: each acknowledged sample is read once, in order",
            .timeLimit(.minutes(5)))
        func pages() async throws { try await killing { EventBook.pages($0) } }

        @Test(
            "NFR-03b NFR-04a SUB-02b SUB-02e: a stream resumed by its last id while query, ingestion and accounts are killed: each event comes once, in order",
            .timeLimit(.minutes(5)))
        func stream() async throws { try await killing { EventBook.stream($0) } }

        private func killing(
            _ way: @escaping @Sendable (API) -> @Sendable (EventBook) async throws -> Void
        ) async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let people = try await suite.followed(Self.peopleCount, by: program, &newcomers)
                let bystander = try await suite.individual(newcomers.person(birthYears: 1960...1990))
                let watch = try await bystander.pairDevice(name: "Watch", types: [.heartRate])

                try await watch.upload([.heartRate(60)])

                let book = EventBook()
                try await book.reading(way(program)) {
                    try await suite.uploading(people, into: book) {
                        for _ in 0..<Self.queryKills {
                            try await book.reached(book.count() + Self.step)
                            suite[.query].kill()
                            try await suite[.query].start()
                        }
                        for _ in 0..<Self.ingestionKills {
                            try await book.reached(book.count() + Self.step)
                            suite[.ingestion].kill()
                            try await suite[.ingestion].start()
                        }
                        try await book.reached(book.count() + Self.step)
                        suite[.accounts].kill()
                        try await goesOnWithoutAccounts(program, bystander, watch)
                        try await suite[.accounts].start()
                        try await book.reached(book.count() + Self.step)
                    }
                }
                try await isComplete(book, people, program)
            }
        }

        /// Tokens are checked everywhere: devices and people are served, third parties only where revocations would be heard of.
        private func goesOnWithoutAccounts(_ program: API, _ person: Individual, _ watch: Device) async throws {
            try await eventually("third parties are told to come back") {
                do throws(SuiteError) { _ = try await program.events(limit: 1) } catch {
                    guard error.isPassing else { throw error }
                    return true
                }
                return false
            }
            for number in 1...10 {
                try await watch.upload([.heartRate(60 + Double(number))])
                #expect(try await person.api.latest().map(\.type) == [.heartRate])
                #expect(try await person.api.receivedRequests().isEmpty)
            }
        }

        /// Nothing is lost, nothing came twice, and nothing else is there.
        private func isComplete(_ book: EventBook, _ people: [Followed], _ program: API) async throws {
            try await book.readOn(as: program)
            for person in people { #expect(book.times(of: person.request) == person.times) }
            let ids = book.events.map(\.id)
            #expect(Set(ids).count == ids.count)
            let accepted = book.events.filter { $0.type == "request.accepted" }.map(\.requestID)
            #expect(accepted.sorted() == people.map(\.request).sorted())
            #expect(book.events.allSatisfy { ["request.accepted", "data.samples"].contains($0.type) })
            // From the beginning it is the same again.
            let again = EventBook()
            try await again.readOn(as: program)
            #expect(again.events.map(\.id) == ids)
        }
    }
}
