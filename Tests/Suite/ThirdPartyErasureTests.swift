import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import Security
import SuiteClient
import Testing

extension BadDays {
    /// A third party leaves while it follows people in every way.
    @Suite struct ThirdPartyErasureTests {
        @Test(
            "ACC-12b ACC-12d REQ-10a SUB-02: a third party is deleted in the middle of its deliveries: streams break off, its webhook is gone, people see that it ended, and nothing more is given to it",
            .timeLimit(.minutes(5)))
        func deleted() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (company, program) = try await suite.thirdParty(&newcomers)
                let address = "127.0.0.1:\(try Ports.free())"
                let webhook = try await company.api.createWebhook(to: "http://\(address)/events")
                let receiver = try await WebhookReceiver.start(
                    at: address, path: "/events", secret: try WebhookSecret(try #require(webhook.secret)),
                    loops: suite.loops)
                try await program.setMailing("daily")
                let people = try await suite.followed(2, by: program, &newcomers)
                let staying = try await suite.company("Polmone", as: .thirdParty, &newcomers)
                let other = try await staying.program(name: "Following", scopes: ["requests"])
                for person in people { _ = try await Followed.follow(person.individual, by: other) }

                let streams = try [program.eventStream(), program.stream(of: people[0].request, after: "0")]
                for person in people { try await person.upload(5) }
                let last = people[0].times[5]
                for stream in streams {
                    _ = try await stream.first(within: .patience, "the last sample") { event in
                        (try? event.content.times.contains(last)) ?? false
                    }
                }
                try await eventually("the webhook is called, too") {
                    receiver.calls.contains { $0.body["data"]?["request_id"]?.text == people[0].request.description }
                }

                let begun = try await company.api.patient.erase(password: RunningSuite.password)
                for stream in streams { _ = try await stream.waitForEnd(within: .patience) }
                try await eventually("query has done its part") {
                    try await suite.receipt(begun.receiptToken).services.contains {
                        $0.service == ServiceName.query.rawValue && $0.erasedAt != nil
                    }
                }
                let items = try await suite.receipt(begun.receiptToken).items(of: .query)
                #expect(items["webhooks"]?.count == 1)
                #expect(items["open-requests"]?.count == people.count)
                try await isGone(company.id, suite)
                for person in people { try await isEnded(person, suite) }
                try await isGivenNothing(program, company, suite)

                // Samples that arrive now go to the other one alone.
                let before = try await Followed.accesses(people)
                let (calls, bytes) = (receiver.calls.count, streams.map(\.byteCount))
                for person in people { try await person.upload(5) }
                let newest = Set(people.flatMap { $0.times.suffix(5) })
                let book = EventBook()
                try await book.reading(EventBook.stream(other)) {
                    try await book.reached(people.reduce(0) { $0 + $1.count })
                }
                #expect(newest.isSubset(of: book.events.flatMap(\.times)))
                #expect(try await Followed.accesses(people) == before)
                #expect(receiver.calls.count == calls)
                #expect(streams.map(\.byteCount) == bytes)
                try await isGone(company.id, suite)
                await receiver.stop()
            }
        }

        /// Nothing is stored from which anything could be delivered.
        private func isGone(_ company: UUID, _ suite: RunningSuite) async throws {
            for table in ["webhook", "mailing", "reading", "event", "event_pack", "recipient"] {
                let none: SQL = "select not exists (select from \(identifier: table) where requester_id = \(company))"
                #expect(try await suite.stored(.query, none), "\(table)")
            }
        }

        /// The person sees it, and is told in the inbox, once.
        private func isEnded(_ person: Followed, _ suite: RunningSuite) async throws {
            let requests = try await person.individual.api.receivedRequests()
            #expect(requests.first { $0.id == person.request }?.state == "ended")
            #expect(requests.filter { $0.state == "accepted" }.count == 1)
            try await eventually("the person is told") {
                try await person.individual.api.inbox().contains { $0.template == "request-ended" }
            }
            #expect(try await person.individual.api.inbox().filter { $0.template == "request-ended" }.count == 1)
        }

        /// Its tokens are good for nothing, and it gets no others.
        private func isGivenNothing(_ program: API, _ company: Company, _ suite: RunningSuite) async throws {
            do throws(SuiteError) {
                _ = try await program.events()
                Issue.record("events of a third party that is gone")
            } catch {
                guard case .refused(_, .unauthorized, _, _) = error else { throw error }
            }
            await #expect(throws: SuiteError.self) {
                try await API(suite.client).logIn(
                    company.email.description, password: RunningSuite.password, kind: .thirdParty)
            }
        }
    }
}

extension Followed {
    /// Samples that left by the request of each person.
    fileprivate static func accesses(_ people: [Followed]) async throws -> [Int] {
        var counts: [Int] = []
        for person in people {
            let entries = try await person.individual.api.accessLog()
            counts.append(entries.filter { $0.requestID == person.request }.reduce(0) { $0 + $1.samples })
        }
        return counts
    }
}
