import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct RunTests {
    struct Details: Decodable {
        let id: UUID
        let code: String
        let name: String
        let description: String?
        let clauses: String?
        let state: String
        let organiser: String
        let length_m: Double
        let path: LineString
        let checkpoints: [Checkpoint]
    }

    @Test("RUN-02ade RUN-05: a run is created, found by identifier and by its short code, and its organiser told")
    func create() async throws {
        try await Track4RunTest.with { service in
            let path = Paths.path([(90, 2000)])
            let half = path.point(at: 1000)
            let more = #", "checkpoints": [{"name": "half", "coordinates": [\#(half.longitude), \#(half.latitude)]}]"#
            let words = #", "description": "Flat and fast", "clauses": "At your own risk""#
            let created = try await service.create(try service.draft(path, more: more + words))
            #expect(created.code.count == 6 && created.code.allSatisfy { "ABCDEFGHJKMNPQRSTVWXYZ".contains($0) })
            for name in ["\(created.id)", created.code, created.code.lowercased()] {
                let run = try await service.call(.get, "/runs/\(name)").decode(Details.self)
                #expect(run.id == created.id && run.name == "City run" && run.organiser == "Corse S.r.l.")
                #expect(run.description == "Flat and fast" && run.clauses == "At your own risk")
                #expect(run.state == "upcoming" && run.length_m == 2000)
                #expect(run.path.points.count == 2)
                #expect(abs(run.checkpoints[0].distance - 1000) < 1)
            }
            try await service.tick()
            #expect(service.neighbours.notices.map(\.template) == ["run-created"])
            #expect(service.neighbours.notices[0].accountID == service.organiser)
            #expect(service.neighbours.notices[0].values["code"] == created.code)
        }
    }

    @Test("RUN-01a: third parties, organisers and individuals organise runs; nobody without an account does")
    func organisers() async throws {
        try await Track4RunTest.with { service in
            for (index, kind) in [Identity.Kind.thirdParty, .organiser, .individual].enumerated() {
                let path = Paths.path([(Double(index) * 90, 2000)])
                // Days apart.
                let draft = try service.draft(path, startsIn: .seconds(86_400 * (index + 1)))
                #expect(try await service.call(.post, "/runs", as: .random(), kind, body: draft).status == .created)
            }
            #expect(try await service.call(.post, "/runs", body: try service.draft()).status == .unauthorized)
            let device = try await service.call(.post, "/runs", as: .random(), .device, body: try service.draft())
            #expect(device.status == .forbidden)
        }
    }

    @Test(
        "RUN-03a: start or deadline not in the future, deadline after the start, end before the start, too few participants"
    )
    func refused() async throws {
        try await Track4RunTest.with { service in
            let drafts = [
                (try service.draft(startsIn: .seconds(-1), deadlineIn: .seconds(-2)), "start-not-in-future"),
                (try service.draft(deadlineIn: .seconds(-1)), "deadline-not-in-future"),
                (try service.draft(deadlineIn: .seconds(7201)), "deadline-after-start"),
                (try service.draft(lasts: .seconds(-1)), "end-before-start"),
                (try service.draft(participantsMax: 1), "impossible-capacity"),
                (try service.draft(Paths.path([(0, 20), (0, 20)])), "impossible-path"),
                (try service.draft(Paths.path([(0, 200), (0, 9000)])), "impossible-path"),
                (try service.draft(lasts: .seconds(60)), "impossible-path"),
            ]
            for (draft, code) in drafts {
                let answer = try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: draft)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.code == code)
            }
            #expect(try await service.list().runs.isEmpty)
        }
    }

    @Test("RUN-02: texts with what cannot be read or stored are refused, all faults at once")
    func texts() async throws {
        struct Problem: Decodable {
            struct Fault: Decodable { let pointer: String }
            let errors: [Fault]
        }
        try await Track4RunTest.with { service in
            let odd = try service.draft(
                name: #"a\nb"#, more: #", "description": "\u202e", "clauses": "one\ntwo""#)
            let answer = try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: odd)
            #expect(answer.status == .unprocessableContent && answer.code == "invalid-request")
            #expect(try answer.decode(Problem.self).errors.map(\.pointer) == ["/name", "/description"])
            let null = try await service.call(
                .post, "/runs", as: service.organiser, .thirdParty, body: try service.draft(name: #"a\u0000b"#))
            #expect(null.status == .unprocessableContent)
            #expect(try null.decode(Problem.self).errors.map(\.pointer) == ["/name"])
            let empty = try await service.call(
                .post, "/runs", as: service.organiser, .thirdParty, body: #"{"name": " "}"#)
            #expect(
                try empty.decode(Problem.self).errors.map(\.pointer) == [
                    "/place", "/path", "/start", "/end", "/enrolment_deadline", "/participants_max", "/name",
                ])
            let family = String(repeating: "👨‍👩‍👧‍👦", count: 100)
            let long = try await service.call(
                .post, "/runs", as: service.organiser, .thirdParty, body: try service.draft(name: family))
            #expect(try long.decode(Problem.self).errors.map(\.pointer) == ["/name"])
        }
    }

    private struct Shown: Decodable {
        struct Checkpoint: Decodable {
            let name: String
            let distance_m: Double
        }
        let checkpoints: [Checkpoint]
        let start_point: [Double]
    }

    private func checkpoints(of run: UUID, _ service: Track4RunTest) async throws -> [Shown.Checkpoint] {
        let answer = try await service.call(.get, "/runs/\(run)")
        return try answer.decode(Shown.self).checkpoints
    }

    @Test("RUN-04a: checkpoints stay where they are when the path alone is changed, and must lie on the new one")
    func pathAlone() async throws {
        try await Track4RunTest.with { service in
            let path = Paths.path([(90, 2000)])
            func point(_ along: Double) -> String {
                let place = path.point(at: along)
                return "[\(place.longitude), \(place.latitude)]"
            }
            let more = """
                , "checkpoints": [{"name": "bridge", "coordinates": \(point(500))},
                {"name": "church", "coordinates": \(point(1500))}]
                """
            let run = try await service.create(try service.draft(path, more: more)).id
            func edit(_ path: Polyline, _ more: String = "") async throws -> Track4RunTest.Answer {
                let line = String(decoding: try JSONEncoder().encode(LineString(path.points)), as: UTF8.self)
                return try await service.call(
                    .patch, "/runs/\(run)", as: service.organiser, .thirdParty, body: "{\"path\": \(line)\(more)}")
            }
            // Begins 300 m earlier, and goes on for longer.
            let longer = Paths.path([(90, 2600)], from: Paths.start.moved(metres: 300, bearing: 270))
            let moved = try await edit(longer)
            #expect(moved.status == .ok)
            let begin = longer.points[0]
            #expect(try moved.decode(Track4RunTest.Page.Item.self).start_point == [begin.longitude, begin.latitude])
            #expect(try await service.list().runs.map(\.start_point) == [[begin.longitude, begin.latitude]])
            let kept = try await checkpoints(of: run, service)
            #expect(kept.map(\.name) == ["bridge", "church"])
            #expect(zip(kept, [800.0, 1800]).allSatisfy { abs($0.distance_m - $1) < 5 })
            // Leaves out the church.
            let shorter = Paths.path([(90, 1000), (0, 1000)])
            let refused = try await edit(shorter)
            #expect(refused.status == .unprocessableContent && refused.code == "impossible-checkpoint")
            #expect(String(decoding: refused.bytes, as: UTF8.self).contains("church"))
            #expect(try await checkpoints(of: run, service).count == 2)
            #expect(try await edit(shorter, ", \"checkpoints\": []").status == .ok)
            #expect(try await checkpoints(of: run, service).isEmpty)
        }
    }

    @Test("RUN-03bc: a run at the same place and time, and one that shares 80% of its path on the same date")
    func neighbours() async throws {
        try await Track4RunTest.with { service in
            _ = try await service.create()
            let crossing = try service.draft(Paths.path([(0, 2000)]))
            let answer = try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: crossing)
            #expect(answer.status == .conflict && answer.code == "same-place-and-time")
            // Later on the same day, along 90% of the same way, starting elsewhere.
            let along = Paths.path([(90, 2000)], from: Paths.start.moved(metres: 200, bearing: 90))
            let later = try service.draft(along, startsIn: .seconds(5 * 3600))
            let shared = try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: later)
            #expect(shared.status == .conflict && shared.code == "shared-path")
            _ = try await service.create(try service.draft(along, startsIn: .seconds(3 * 86_400)))
            _ = try await service.create(try service.draft(Paths.path([(0, 2000)]), startsIn: .seconds(5 * 3600)))
        }
    }

    @Test("RUN-03b: of plans for one place and time made at once, one gets through")
    func plansAtOnce() async throws {
        try await Track4RunTest.with { service in
            let draft = try service.draft()
            let statuses = try await withThrowingTaskGroup(of: HTTPStatus.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await service.call(.post, "/runs", as: service.organiser, .thirdParty, body: draft).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .created } == 1)
            #expect(statuses.count { $0 == .conflict } == 5)
        }
    }

    @Test(
        "RUN-02e RUN-04abc: the organiser and nobody else edits and cancels; all participants are told; cancelling ends enrolments"
    )
    func editAndCancel() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let runner = UUID.random()
            _ = try await service.enrol(runner, in: run)
            let body = #"{"name": "Other name"}"#
            let stranger = try await service.call(.patch, "/runs/\(run)", as: .random(), .organiser, body: body)
            #expect(stranger.status == .forbidden)
            #expect(try await service.call(.delete, "/runs/\(run)", as: runner).status == .forbidden)
            let edited = try await service.call(.patch, "/runs/\(run)", as: service.organiser, .thirdParty, body: body)
            #expect(edited.status == .ok)
            try await service.tick()
            let told = service.neighbours.notices.filter { $0.template == "run-changed" }
            #expect(Set(told.map(\.accountID)) == [runner, service.organiser])
            #expect(told[0].values["run"] == "Other name")
            #expect(
                try await service.call(.delete, "/runs/\(run)", as: service.organiser, .thirdParty).status == .noContent
            )
            try await service.tick()
            let last = service.neighbours.notices.filter { $0.template == "run-cancelled" }
            #expect(Set(last.map(\.accountID)) == [runner, service.organiser])
            #expect(try await service.list("?state=cancelled").runs.map(\.participants) == [0])
            #expect(try await service.enrol(.random(), in: run).code == "not-open")
            let again = try await service.call(.delete, "/runs/\(run)", as: service.organiser, .thirdParty)
            #expect(again.code == "not-open")
        }
    }

    @Test("RUN-04a: a run keeps its times once the check-in has begun, and room for those enrolled")
    func editTooLate() async throws {
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            for _ in 0..<3 { _ = try await service.enrol(.random(), in: run) }
            let few = try await service.call(
                .patch, "/runs/\(run)", as: service.organiser, .thirdParty, body: #"{"participants_max": 2}"#)
            #expect(few.code == "capacity-taken")
            service.clock.advance(by: .seconds(7200 - 899))
            let late = try await service.call(
                .patch, "/runs/\(run)", as: service.organiser, .thirdParty, body: #"{"name": "x"}"#)
            #expect(late.code == "check-in-begun")
        }
    }

    @Test("RUN-05ab: runs are listed by state, text, place, date and time of day, in pages")
    func lists() async throws {
        try await Track4RunTest.with { service in
            // The clock says midnight UTC, one o'clock in Rome.
            let codes = try await withRuns(service)
            #expect(try await service.list().runs.map(\.name) == ["Lake", "City", "Hills"])
            #expect(try await service.list("?text=hill").runs.map(\.name) == ["Hills"])
            #expect(try await service.list("?text=\(codes[1].lowercased())").runs.map(\.name) == ["City"])
            #expect(try await service.list("?place=mila").runs.count == 3)
            #expect(try await service.list("?place=milan&text=lak").runs.map(\.name) == ["Lake"])
            #expect(try await service.list("?date=2026-01-02").runs.map(\.name) == ["City"])
            #expect(try await service.list("?time_from=06:00&time_to=08:00").runs.map(\.name) == ["Lake", "Hills"])
            #expect(try await service.list("?state=upcoming").runs.count == 3)
            let first = try await service.list("?limit=2")
            let second = try await service.list("?limit=2&cursor=\(try #require(first.next))")
            #expect((first.runs + second.runs).map(\.name) == ["Lake", "City", "Hills"])
            #expect(second.next == nil)
            service.clock.advance(by: .seconds(6 * 3600 + 60))
            #expect(try await service.list("?state=under-way").runs.map(\.name) == ["Lake"])
            service.clock.advance(by: .seconds(3600))
            #expect(try await service.list("?state=past").runs.map(\.name) == ["Lake"])
            #expect(try await service.list("?date=2026-01-02&state=current").runs.map(\.name) == ["City"])
            for query in [
                "state=odd", "date=tomorrow", "time_from=25:00", "time_from=%2B1:%2B5", "cursor=x", "limit=0",
                "limit=101",
                "place=Roma&place=Milano", "order=name",
            ] {
                #expect(try await service.call(.get, "/runs?\(query)").status == .unprocessableContent, "\(query)")
            }
            for query in ["text=%00", "place=a%1Fb", "text=%C3"] {
                #expect(try await service.call(.get, "/runs?\(query)").status == .badRequest, "\(query)")
            }
        }
    }

    @Test(
        "RUN-05a: a text finds beginnings of words in any order, without accents and capitals; signs in it mean nothing",
        arguments: [
            ("forli", true), ("FORLÌ mara", true), ("maratona mezza", true), ("dell'anel", true), ("10 km", true),
            ("mezza & milano", true), ("mezza | roma", false), ("!mezza", true), ("mezza:*B", true), ("'", false),
            ("\\'", false), ("aratona", false), ("\u{1F3C3}", false), (String(repeating: "a", count: 400), false),
        ])
    func words(_ text: String, _ isFound: Bool) async throws {
        try await Track4RunTest.with { service in
            _ = try await service.create(
                try service.draft(
                    name: "Mezza maratona di Forlì", more: #", "description": "Il giro dell'anello, 10 km (b)""#))
            let encoded = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(try await service.list("?text=\(encoded)").runs.count == (isFound ? 1 : 0))
        }
    }

    @Test(
        "RUN-05a: runs under way come before those upcoming, the nearest first; those over and cancelled are latest first"
    )
    func order() async throws {
        try await Track4RunTest.with { service in
            _ = try await withRuns(service)
            func names(_ query: String) async throws -> [String] { try await service.list(query).runs.map(\.name) }
            func pages(_ query: String) async throws -> [String] {
                let first = try await service.list("\(query)&limit=1")
                let rest = try await service.list("\(query)&limit=1&cursor=\(try #require(first.next))")
                #expect(rest.next == nil)
                return (first.runs + rest.runs).map(\.name)
            }
            service.clock.advance(by: .seconds(32 * 3600 + 60))
            #expect(try await names("?state=current") == ["City", "Hills"])
            #expect(try await service.list("?state=current").runs.map(\.state) == ["under-way", "upcoming"])
            #expect(try await pages("?state=current") == ["City", "Hills"])
            #expect(try await names("?state=past") == ["Lake"])
            service.clock.advance(by: .seconds(3600))
            #expect(try await names("?state=current") == ["Hills"])
            #expect(try await names("?state=past") == ["City", "Lake"])
            #expect(try await pages("?state=past") == ["City", "Lake"])
            // Official rankings change nothing of it.
            try await service.tick()
            service.clock.advance(by: .seconds(120))
            try await service.tick()
            #expect(try await names("?state=past") == ["City", "Lake"])
            for days in [4, 5] {
                let run = try await service.create(
                    try service.draft(name: "Day \(days)", startsIn: .seconds(days * 86_400)))
                _ = try await service.call(.delete, "/runs/\(run.id)", as: service.organiser, .thirdParty)
            }
            #expect(try await pages("?state=cancelled") == ["Day 5", "Day 4"])
        }
    }

    /// Three runs: at 7:00, the next day at 9:00, and the day after at 7:30, Rome time.
    private func withRuns(_ service: Track4RunTest) async throws -> [String] {
        var codes: [String] = []
        for (name, seconds) in [("Lake", 6 * 3600), ("City", 32 * 3600), ("Hills", 54 * 3600 + 1800)] {
            codes.append(try await service.create(try service.draft(name: name, startsIn: .seconds(seconds))).code)
        }
        return codes
    }

    @Test("RUN-05a NFR-03: a run that cannot be read is left out of lists, reported once, and the pages go on past it")
    func unreadable() async throws {
        struct Own: Decodable { let organised: [Track4RunTest.Page.Item] }
        try await Track4RunTest.with { service in
            _ = try await withRuns(service)
            try await service.database.execute("update run set start_latitude = 1000 where name = 'City'")
            let first = try await service.list("?limit=2")
            #expect(first.runs.map(\.name) == ["Lake"])
            let second = try await service.list("?limit=2&cursor=\(try #require(first.next))")
            #expect(second.runs.map(\.name) == ["Hills"] && second.next == nil)
            let own = try await service.call(.get, "/me/runs", as: service.organiser, .thirdParty).decode(Own.self)
            #expect(own.organised.map(\.name) == ["Hills", "Lake"])
            #expect(service.log.lines.count { $0.contains("a row cannot be read and is left out") } == 1)
            let metrics = String(decoding: await service.context.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_unreadable_rows_total{table=\"track4run.run\"} 1\n"))
        }
    }

    @Test("RUN-05c: an organiser's own list has the own runs, a runner's those enrolled in")
    func own() async throws {
        struct Own: Decodable { let organised: [Track4RunTest.Page.Item] }
        try await Track4RunTest.with { service in
            let run = try await service.create().id
            let runner = UUID.random()
            _ = try await service.enrol(runner, in: run)
            let own = try await service.call(.get, "/me/runs", as: service.organiser, .thirdParty).decode(Own.self)
            #expect(own.organised.map(\.id) == [run])
            #expect(try await service.call(.get, "/me/runs", as: runner).decode(Own.self).organised.isEmpty)
            let enrolled = try await service.enrolments(of: runner)
            #expect(enrolled.map(\.run.id) == [run] && enrolled.map(\.bib) == [1])
            #expect(
                enrolled[0].state == "enrolled"
                    && enrolled[0].check_in_from == service.clock.now() + .seconds(7200 - 900))
        }
    }
}
