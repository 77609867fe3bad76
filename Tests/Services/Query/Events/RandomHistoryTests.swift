import Contracts
import Domain
import HTTP
import JSON
import Primitives
import Reactor
import SeededRandom
import ServiceTesting
import Testing

@testable import Query

/// The four statements about one person's data, over random histories of several people and third parties:
/// data goes out only if and while it was accepted; one request of a pair is open; nothing goes to who was never accepted; a request
/// reaches exactly the named person.
@Suite struct RandomHistoryTests {
    private struct Asked {
        let id: UUID
        let company: UUID
        let person: UUID
        let mayLapse: Bool
        var state = "pending"
        var types: [String] = []
        var isAccepted: Bool { state == "accepted" }
        var isOpen: Bool { state == "pending" || state == "accepted" }
    }

    /// What was delivered of a person to a company, as far as the model knows.
    private struct Pair: Hashable {
        let company: UUID
        let person: UUID
    }

    private static let names = ["heart-rate", "position", "steps"]

    @Test(
        "REQ-04a REQ-05bcd REQ-08b REQ-09a REQ-10bf SUB-01c SUB-02ae: Data goes to whom it was accepted for, while it is",
        arguments: [UInt64](1...6))
    func histories(seed: UInt64) async throws {
        try await World.with { world in
            var random = SeededGenerator(seed: seed)
            let people = [World.Somebody(id: world.person, email: World.email)] + (1..<3).map { world.addPerson($0) }
            let companies = [world.company, world.neighbours.addCompany("B"), world.neighbours.addCompany("C")]
            var asked: [Asked] = []
            var arrivals: [UUID: [Double]] = [:]
            var cursors: [UUID: String] = [:]
            var received: [UUID: [Double]] = [:]
            var value = 0.0
            func owner(_ value: Double) -> UUID? { arrivals.first { $0.value.contains(value) }?.key }

            func poll(_ company: UUID) async throws {
                let page = try await world.asCompany(
                    .get, "/events?cursor=\(cursors[company] ?? "0")", company: company)
                try #require(page.status == 200, "\(page.text)")
                cursors[company] = page["next"]?.text
                for json in page["events"]?.items ?? [] {
                    let event = try ReceivedEvent(json)
                    let request = try #require(asked.first { $0.id == event.request })
                    #expect(request.company == company)
                    guard event.type == "data.samples" else { continue }
                    // Only while it is accepted, only what was accepted, only of the named person.
                    #expect(request.isAccepted)
                    #expect(event.series.allSatisfy { request.types.contains($0.type.name) })
                    #expect(event.values.allSatisfy { owner($0) == request.person })
                    received[request.id, default: []] += event.values
                }
            }

            for step in 1...120 {
                world.clock.advance(by: .seconds(1))
                let (company, person) = (
                    companies.randomElement(using: &random)!, people.randomElement(using: &random)!
                )
                let open = asked.indices.filter { asked[$0].isOpen }
                switch Int.random(in: 0..<10, using: &random) {
                case 0, 1:
                    let isFree = !asked.contains { $0.isOpen && $0.company == company && $0.person == person.id }
                    let answer = try await world.asCompany(
                        .post, "/requests", World.draft(of: person.email), company: company)
                    #expect(answer.status == (isFree ? 201 : 409), "\(answer.text)")
                    guard isFree, let id = answer["id"]?.text.flatMap({ UUID($0) }) else { continue }
                    asked.append(Asked(id: id, company: company, person: person.id, mayLapse: false))
                    // It reaches that person, and nobody else.
                    for somebody in people {
                        let list = try await world.asPerson(.get, "/me/requests?limit=100", person: somebody.id)
                        let isThere = list["requests"]?.items.contains { $0["id"]?.text == id.description } == true
                        #expect(isThere == (somebody.id == person.id))
                    }
                case 2, 3:
                    guard let index = open.randomElement(using: &random) else { continue }
                    let types = Array(Self.names.prefix(Int.random(in: 1...2, using: &random)))
                    let body = "{\"data_types\": [\(types.map { "\"\($0)\"" }.joined(separator: ", "))]}"
                    try await decide("acceptance", body, &asked[index], from: "pending", to: "accepted", world)
                    if asked[index].isAccepted, asked[index].types.isEmpty { asked[index].types = types }
                case 4:
                    guard let index = open.randomElement(using: &random) else { continue }
                    try await decide("refusal", "", &asked[index], from: "pending", to: "refused", world)
                case 5:
                    guard let index = open.randomElement(using: &random) else { continue }
                    try await decide("withdrawal", "", &asked[index], from: "accepted", to: "withdrawn", world)
                case 6:
                    guard let index = open.randomElement(using: &random), Bool.random(using: &random) else { continue }
                    let answer = try await world.asCompany(
                        .delete, "/requests/\(asked[index].id)", company: asked[index].company)
                    #expect(answer.status == 200)
                    asked[index].state = "ended"
                case 7, 8:
                    value += 1
                    arrivals[person.id, default: []].append(value)
                    world.neighbours.arrive(World.heartRates([value]), of: person.id)
                default: try await poll(company)
                }
                if step % 20 == 0 { try await agree(people, companies, world) }
            }
            try await agree(people, companies, world)
            // In the end everybody has everything that was measured of those who are followed, each once.
            for company in companies {
                let accepted = asked.filter {
                    $0.company == company && $0.isAccepted && $0.types.contains("heart-rate")
                }
                let deadline = Deadline.after(.seconds(10))
                repeat {
                    try await poll(company)
                } while !deadline.hasPassed
                    && accepted.contains { received[$0.id, default: []].count < arrivals[$0.person, default: []].count }
                for request in accepted {
                    #expect(received[request.id, default: []] == arrivals[request.person, default: []])
                }
            }
            for request in asked {
                #expect(received[request.id, default: []].count == Set(received[request.id, default: []]).count)
                #expect(try await world.state(of: request.id) == request.state)
            }
        }
    }

    /// What both sides see of a request.
    private struct Seen: Hashable {
        let id: String?
        let company: String?
        let state: String?
        let accepted: [String?]?

        init(_ json: JSONValue, of company: String?) {
            (id, state, self.company) = (json["id"]?.text, json["state"]?.text, company)
            accepted = json["accepted_types"]?.items.map(\.text)
        }
    }

    /// People's lists of who asks or follows and third parties' lists of people say the same.
    private func agree(_ people: [World.Somebody], _ companies: [UUID], _ world: World) async throws {
        var (own, theirs): ([Seen], [Seen]) = ([], [])
        for person in people {
            let list = try await world.asPerson(.get, "/me/requests?limit=100", person: person.id)
            for request in list["requests"]?.items ?? [] {
                own.append(Seen(request, of: request["requester"]?["id"]?.text))
            }
        }
        for company in companies {
            let list = try await world.asCompany(.get, "/requests?limit=100", company: company)
            for request in list["requests"]?.items ?? [] {
                theirs.append(Seen(request, of: company.description))
            }
        }
        #expect(Set(own) == Set(theirs) && own.count == theirs.count)
    }

    /// A step of the individual takes effect exactly when the state allows it.
    private func decide(
        _ step: String, _ body: String, _ asked: inout Asked, from state: String, to next: String, _ world: World
    ) async throws {
        let answer = try await world.asPerson(.post, "/me/requests/\(asked.id)/\(step)", body, person: asked.person)
        #expect(answer.status == (asked.state == state ? 200 : 409), "\(answer.text)")
        if asked.state == state { asked.state = next }
        // Nobody decides for somebody else.
        let stranger = try await world.asPerson(.post, "/me/requests/\(asked.id)/\(step)", body, person: .random())
        #expect(stranger.status == 404)
    }
}
