import Security
import HTTP
import ServiceTesting
import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Testing

@testable import Query

@Suite struct GroupRequestTests {
    static let question = """
        {"data_types": ["heart-rate"], "bucket": "day", "from": "2026-06-01", "to": "2026-06-02",
          "where": {"age": {"min": 18, "max": 65}, "sex": "female", "residence": {"region": "Lombardia"}}}
        """

    /// Women of Milan, aged 46, with a heart rate on the first two days of June; through the feeds' handlers.
    static func populate(_ world: World, count: Int, from first: Int32 = 0, sex: Sex = .female) async throws {
        let profiles = ProfileIntake(clock: world.clock)
        let rollups = RollupIntake(clock: world.clock)
        for start in stride(from: 0, to: count, by: 1000) {
            let subjects = (start..<min(start + 1000, count)).map { Int32($0) + first }
            try await apply(
                profiles,
                try subjects.map { subject in
                    try record("profile", SubjectMaskTests.profile(subject, sex), number: subject)
                }, in: world)
            try await apply(
                rollups,
                try ["2026-06-01", "2026-06-02"].map { day in
                    try record(
                        "day",
                        Ingestion.DayRollups(
                            type: .heartRate, day: CalendarDate(day)!, subjects: subjects,
                            values: subjects.map { 60 + Double($0 % 20) }), number: first)
                }, in: world)
        }
        world.clock.advance(by: .seconds(10))
    }

    private static func record(_ kind: String, _ value: some Encodable, number: Int32) throws -> FeedRecord {
        FeedRecord(
            lane: 0, position: Int64(number) + 1, entity: .random(), version: 1, kind: kind,
            payload: try JSONRaw(encoding: value), recordedAt: World.start)
    }

    private static func apply(_ handler: some FeedHandler, _ records: [FeedRecord], in world: World) async throws {
        guard case .statements(let statements) = try await handler.apply(records) else { return }
        try await world.statistics.batch(statements)
    }

    @Test("GRP-02 GRP-03: none and 1000 people get one identical answer")
    func refusal() async throws {
        let collected = Collected()
        for count in [0, 1000] {
            try await World.with { world in
                try await Self.populate(world, count: count)
                for _ in 0..<2 {
                    let answer = try await world.asCompany(.post, "/group-requests", Self.question)
                    #expect(answer.status == 403)
                    #expect(answer.code == "too-few-people")
                    collected.add(answer.body)
                }
            }
        }
        let answers = collected.all
        #expect(answers.count == 4)
        #expect(Set(answers).count == 1)
    }

    @Test("GRP-02 GRP-04 GRP-05 GRP-09: 1001 people get counts and means with noise, and nothing that names anybody")
    func answer() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            try await Self.populate(world, count: 300, from: 5000, sex: .male)
            let answer = try await world.asCompany(.post, "/group-requests", Self.question)
            #expect(answer.status == 200, "\(answer.text)")
            let buckets = answer["buckets"]?.items ?? []
            #expect(buckets.map { $0["start"]?.text } == ["2026-06-01", "2026-06-02"])
            for bucket in buckets {
                let count = try #require(bucket["count"]?.double)
                let noise = try #require(bucket["count_noise"]?.double)
                #expect(abs(count - 1001) < 6 * noise)
                let mean = try #require(bucket["mean"]?.double)
                let meanNoise = try #require(bucket["mean_noise"]?.double)
                #expect(abs(mean - 69.5) < 6 * meanNoise)
                #expect(bucket["unit"]?.text == "/min")
                #expect(bucket["lower_bound"]?.double == 30)
                #expect(bucket["mean_interval_95"]?.items.count == 2)
            }
            for forbidden in ["subject", "account", World.fiscalCode, World.email, "device", "latitude"] {
                #expect(!answer.text.contains(forbidden))
            }
            let history = try await world.asCompany(.get, "/group-requests")["group_requests"]?.items ?? []
            #expect(history.first?["id"] == answer["id"])
            #expect(history.first?["answer"]?["buckets"] == answer["buckets"])
        }
    }

    @Test(
        "GRP-09: the same question has the same answer for ever and for everybody, at the same time too, and late data changes nothing"
    )
    func repetition() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1100)
            let other = world.neighbours.addCompany("Other")
            let answers = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                for index in 0..<4 {
                    group.addTask {
                        try await world.asCompany(
                            .post, "/group-requests", Self.question, company: index % 2 == 0 ? other : nil)["buckets"]
                    }
                }
                return try await group.reduce(into: [JSONValue?]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0 != nil })
            #expect(Set(answers).count == 1)
            try await Self.populate(world, count: 500, from: 20_000)
            try await world.round()
            let spelled = Self.question.replacing("Lombardia", with: "lombardia")
            #expect(try await world.asCompany(.post, "/group-requests", spelled)["buckets"] == answers[0])
        }
    }

    @Test("GRP-09: a verdict is not evaluated again: who was withheld stays withheld")
    func verdict() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1000)
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 403)
            try await Self.populate(world, count: 500, from: 20_000)
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 403)
            let wider = Self.question.replacing("65", with: "66")
            #expect(try await world.asCompany(.post, "/group-requests", wider).status == 200)
        }
    }

    @Test("GRP-02 GRP-09: the ledger charges refusals too, and a spent balance says so; stored answers stay")
    func ledger() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let first = try await world.asCompany(.post, "/group-requests", Self.question)
            let left = try #require(first["balance"]?.items.first?["left"]?.double)
            #expect(abs(left - (0.125 - 2 * 0.000083334)) < 1e-9)
            #expect(
                try await world.asCompany(.post, "/group-requests", Self.question)["balance"] == first["balance"])
            try await world.statistics.execute("update spent_by set amount = 124990000")
            let other = Self.question.replacing("female", with: "male")
            let refused = try await world.asCompany(.post, "/group-requests", other)
            #expect(refused.status == 402)
            #expect(refused.code == "privacy-budget-spent")
            #expect(
                try await world.statistics.queryOne("select count(*) from release", as: Int64.self) == 2)
            #expect(
                try await world.asCompany(.post, "/group-requests", Self.question)["buckets"] == first["buckets"])
            let company = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.post, "/group-requests", other, company: company).status == 403)
            try await world.statistics.execute("update spent set amount = 499990000")
            let third = Self.question.replacing("65", with: "64")
            #expect(
                try await world.asCompany(.post, "/group-requests", third, company: company).code
                    == "privacy-budget-spent")
            try await world.statistics.execute("update spent set amount = 0")
            try await world.statistics.execute("insert into spent values ('2025-12-01', 1499950000)")
            #expect(
                try await world.asCompany(.post, "/group-requests", third, company: company).code
                    == "privacy-budget-spent")
            try await world.statistics.execute("update spent set month = '2025-06-01' where month = '2025-12-01'")
            #expect(try await world.asCompany(.post, "/group-requests", third, company: company).status == 200)
        }
    }

    @Test("GRP-09: the database keeps a release as it is")
    func once() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            _ = try await world.asCompany(.post, "/group-requests", Self.question)
            for change in ["count_noisy = count_noisy + 1", "state = 'pending'", "price = 1"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await world.statistics.execute("update release set \(raw: change)")
                }
                #expect(error?.constraint == "release_once")
            }
        }
    }

    @Test("Merged columns answer as unmerged ones do")
    func merging() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 2500)
            let before = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: world.statistics)
            try await world.round()
            #expect(try await world.statistics.queryOne("select count(*) from arrival", as: Int64.self) == 0)
            #expect(try await world.statistics.queryOne("select count(*) from cell_block", as: Int64.self) == 3)
            let after = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: world.statistics)
            #expect(before.cells == after.cells)
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 200)
        }
    }

    @Test(
        "GRP-01: parameters that are not allowed are refused, and the refusal says so",
        arguments: [
            (
                "{\"age\": {\"min\": 18, \"max\": 65}, \"sex\": \"female\", \"residence\": {\"region\": \"Lombardia\"}}",
                "{}", 422
            ),
            (
                "\"sex\": \"female\"",
                "\"sex\": \"female\", \"occupation\": \"student\", \"birthplace\": {\"province\": \"RM\"}", 422
            ),
            ("\"sex\": \"female\"", "\"shoe_size\": 43", 400),
            ("\"max\": 65", "\"max\": 17", 422),
            ("Lombardia", "Padania", 422),
            ("{\"region\": \"Lombardia\"}", "{\"region\": \"Lombardia\", \"province\": \"MI\"}", 422),
            ("\"day\"", "\"hour\"", 422),
            ("heart-rate", "position", 422),
            ("2026-06-02", "2026-05-31", 422),
            ("2026-06-02", "2026-09-30", 422),
            ("\"to\": \"2026-06-02\"", "\"to\": \"2026-06-30\"", 422),
        ])
    func refusedParameters(part: String, replacement: String, status: Int) async throws {
        try await World.with { world in
            let answer = try await world.asCompany(
                .post, "/group-requests", Self.question.replacing(part, with: replacement))
            #expect(answer.status == status, "\(answer.text)")
            #expect(try await world.statistics.queryOne("select count(*) from release", as: Int64.self) == 0)
        }
    }

    @Test("GRP-09: while data is being added nothing is decided, and a day that never arrived is decided when it does")
    func loading() async throws {
        try await World.with { world in
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 403)
            try await Self.populate(world, count: 1001)
            world.clock.advance(by: .seconds(-9))
            #expect(
                try await world.asCompany(.post, "/group-requests", Self.question).code == "statistics-being-loaded")
            world.clock.advance(by: .seconds(9))
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 200)
        }
    }

    @Test("GRP-04: individuals and third parties without the scope ask nothing")
    func access() async throws {
        try await World.with { world in
            #expect(try await world.asPerson(.post, "/group-requests", Self.question).status == 403)
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            #expect(try await world.call(.post, "/group-requests", Self.question, token: token).status == 403)
        }
    }
}
