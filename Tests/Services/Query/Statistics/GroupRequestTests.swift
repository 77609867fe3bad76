import Security
import HTTP
import ServiceTesting
import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Testing

@testable import Query
@testable import Statistics

@Suite struct GroupRequestTests {
    static let question = """
        {"data_types": ["heart-rate"], "bucket": "day", "from": "2025-06-01", "to": "2025-06-02",
          "where": {"age": {"min": 18, "max": 65}, "sex": "female", "residence": {"region": "Lombardia"}}}
        """

    static let days = ["2025-06-01", "2025-06-02"].map { CalendarDate($0)! }

    /// Women of Milan, aged 46, with a heart rate on the first two days of June; through the feeds' handlers.
    static func populate(_ world: World, count: Int, from first: Int32 = 0, sex: Sex = .female) async throws {
        let profiles = ProfileIntake(clock: world.clock)
        if try await ColumnStore.profilesLoaded(in: world.statistics) == nil { try await world.snapshot(profiles, []) }
        let publications = days.map { ($0, UUID.random()) }
        for start in stride(from: 0, to: count, by: 1000) {
            let subjects = (start..<min(start + 1000, count)).map { Int32($0) + first }
            try await world.apply(
                profiles,
                try subjects.map { try World.record("profile", SubjectMaskTests.profile($0, sex)) })
            try await world.apply(
                RollupIntake(clock: world.clock),
                try publications.map { try World.record("day", rollups(of: $0.0, subjects, $0.1)) })
        }
        try await world.apply(
            RollupIntake(clock: world.clock),
            try publications.map { day, publication in
                try World.record(
                    "day-complete",
                    Ingestion.DayComplete(day: day, publication: publication, batches: (count + 999) / 1000))
            })
        world.clock.advance(by: .seconds(10))
    }

    static func rollups(of day: CalendarDate, _ subjects: [Int32], _ publication: UUID?) -> Ingestion.DayRollups {
        Ingestion.DayRollups(
            type: .heartRate, day: day, subjects: subjects, values: subjects.map { 60 + Double($0 % 20) },
            publication: publication)
    }

    @Test("GRP-02a GRP-03: none and 1000 people get one identical answer")
    func refusal() async throws {
        let collected = Collected()
        for count in [0, 1000] {
            try await World.with { world in
                try await Self.populate(world, count: count)
                for _ in 0..<2 {
                    // A problem names its trace: all are asked in one.
                    let answer = try await world.call(
                        .post, "/group-requests", Self.question,
                        token: world.service.tokens.token(.thirdParty, account: world.company, scopes: ["groups"]),
                        fields: ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
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

    @Test(
        "GRP-02a GRP-04 GRP-05 GRP-07a GRP-09: 1001 people get counts and means with noise, and nothing that names anybody"
    )
    func answer() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            try await Self.populate(world, count: 300, from: 5000, sex: .male)
            let answer = try await world.asCompany(.post, "/group-requests", Self.question)
            #expect(answer.status == 200, "\(answer.text)")
            let buckets = answer["buckets"]?.items ?? []
            #expect(buckets.map { $0["start"]?.text } == ["2025-06-01", "2025-06-02"])
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

    @Test("GRP-02b GRP-09: the ledger charges refusals too, and a spent balance says so; stored answers stay")
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
            #expect(refused.status == 403)
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
            try await world.statistics.execute("insert into spent values ('2024-12-01', 1499950000)")
            #expect(
                try await world.asCompany(.post, "/group-requests", third, company: company).code
                    == "privacy-budget-spent")
            try await world.statistics.execute("update spent set month = '2024-06-01' where month = '2024-12-01'")
            #expect(try await world.asCompany(.post, "/group-requests", third, company: company).status == 200)
        }
    }

    @Test("GRP-09: a pending cell is finished with the noise that was charged, whatever a cell costs now")
    func pendingPrice() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let body = try JSONDecoder().decode(GroupQuestionBody.self, from: Array(Self.question.utf8))
            let question = try GroupQuestion(body)
            // As if a process with cheaper cells had stopped between the charge and the answer.
            let cheap = PrivacyPrice(month: 250_000)
            let cells = try Self.days.map {
                try ReleaseCell(type: .heartRate, day: $0, predicate: question.predicate, price: cheap)
            }
            let ledger = PrivacyLedger(caps: PrivacyCaps())
            let other = world.neighbours.addCompany("Other")
            try await world.statistics.transaction { _ = try await ledger.charge(cells, to: other, in: $0) }

            let answer = try await world.asCompany(.post, "/group-requests", Self.question)
            #expect(answer.status == 200, "\(answer.text)")
            let price = cheap.day(Self.days[0])
            let variances = try await world.statistics.query(
                "select count_variance, sum_variance, price from release", as: Int64.self, Int64.self, Int64.self)
            #expect(variances.count == 2)
            for (count, sum, stored) in variances {
                #expect(stored == price)
                #expect(try PrivacyPrice.variance(sensitivity: 1, price: price) == UInt64(count))
                #expect(try PrivacyPrice.variance(sensitivity: 95, price: price) == UInt64(sum))
            }
            // Both pay what the cells cost.
            let spent = try await world.statistics.query("select amount from spent_by", as: Int64.self)
            #expect(spent == [2 * price, 2 * price])
            #expect(try await world.statistics.query("select amount from spent", as: Int64.self) == [2 * price])
        }
    }

    @Test("GRP-09: a price that no noise can be drawn for is found before anything is charged")
    func impossiblePrice() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let pool = try BlockingPool(threads: 1, queueMax: 1)
            defer { pool.shutdown() }
            let groups = GroupRequests(
                database: world.statistics, ledger: PrivacyLedger(caps: PrivacyCaps()), price: PrivacyPrice(month: 0),
                clock: world.clock, pool: pool, places: ComputingPlaces(1), quiet: .zero)
            let question = try GroupQuestion(
                try JSONDecoder().decode(GroupQuestionBody.self, from: Array(Self.question.utf8)))
            await #expect(throws: PrivacyPriceError(price: 0, sensitivity: 1)) {
                try await groups.answer(question, by: world.company)
            }
            for table in ["release", "spent", "spent_by", "payment"] {
                let count = try await world.statistics.queryOne(
                    "select count(*) from \(identifier: table)", as: Int64.self)
                #expect(count == 0)
            }
        }
    }

    @Test("NFR-02: while as many group requests are computed as there is room for, a further one is refused, uncharged")
    func overloaded() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let pool = try BlockingPool(threads: 1, queueMax: 1)
            defer { pool.shutdown() }
            let places = ComputingPlaces(1)
            let groups = GroupRequests(
                database: world.statistics, ledger: PrivacyLedger(caps: PrivacyCaps()), price: PrivacyPrice(),
                clock: world.clock, pool: pool, places: places, quiet: .zero)
            let question = try GroupQuestion(
                try JSONDecoder().decode(GroupQuestionBody.self, from: Array(Self.question.utf8)))
            try await places.run {
                let refused = await #expect(throws: Problem.self) {
                    try await groups.answer(question, by: world.company)
                }
                #expect(refused?.status == .serviceUnavailable && refused?.code == "overloaded")
            }
            for table in ["release", "spent", "spent_by", "payment"] {
                let count = try await world.statistics.queryOne(
                    "select count(*) from \(identifier: table)", as: Int64.self)
                #expect(count == 0)
            }
            let answer = try await groups.answer(question, by: world.company)
            // What is decided needs no place.
            try await places.run {
                let again = try await groups.answer(question, by: .random())
                #expect(again.buckets.count == answer.buckets.count)
            }
        }
    }

    @Test("GRP-09: which of two values of a republished day stands does not depend on when arrivals are merged")
    func republished() async throws {
        let key = ColumnKey.values(.heartRate, Self.days[0])
        // The later one would come first in an order by subjects.
        let arrivals: [(subjects: [Int32], values: [Int32])] = [
            ([5, 7], [50, 70]), ([1, 5], [-1, -5]), ([0, 7], [9, 9]),
        ]
        let expected: [Int64] = [9, -1, 0, 0, 0, 50, 0, 70]
        for mergedAfter in [nil, 1, 2, 3] {
            try await World.with { world in
                for (number, arrival) in arrivals.enumerated() {
                    let cells = arrival.values.map { ValueCell(contribution: $0) }
                    try await world.statistics.batch(
                        try ColumnStore.adding(cells, of: arrival.subjects, to: key, at: World.start))
                    if mergedAfter == number + 1 { #expect(try await ColumnStore.mergeSome(in: world.statistics)) }
                }
                let column = try await ColumnStore.load(key, of: ValueCell.self, from: world.statistics)
                #expect(column.cells.prefix(8).map(\.contribution) == expected, "merged after \(mergedAfter ?? 0)")
            }
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

    @Test("A column that another replica is merging is passed over without waiting for it")
    func mergingAtTheSameTime() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 2500)
            let before = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: world.statistics)
            try await world.statistics.transaction { other in
                // Profiles are the first column that has something to merge.
                try await other.execute(ColumnStore.locking(.profiles))
                var count = 0
                while try await ColumnStore.mergeSome(in: world.statistics) { count += 1 }
                #expect(count == Self.days.count)
            }
            let left = try await world.statistics.query("select distinct series from arrival", as: Int16.self)
            #expect(left == [ColumnKey.profiles.series])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { while try await ColumnStore.mergeSome(in: world.statistics) {} }
                }
                try await group.waitForAll()
            }
            #expect(try await world.statistics.queryOne("select count(*) from arrival", as: Int64.self) == 0)
            let after = try await ColumnStore.load(.profiles, of: ProfileCell.self, from: world.statistics)
            #expect(before.cells == after.cells)
        }
    }

    @Test(
        "GRP-01ij GRP-02b: parameters that are not allowed are refused, and the refusal says so",
        arguments: [
            (
                "{\"age\": {\"min\": 18, \"max\": 65}, \"sex\": \"female\", \"residence\": {\"region\": \"Lombardia\"}}",
                "{}", 422
            ),
            (
                "\"sex\": \"female\"",
                "\"sex\": \"female\", \"occupation\": \"student\", \"birthplace\": {\"province\": \"RM\"}", 422
            ),
            ("\"sex\": \"female\"", "\"shoe_size\": 43", 422),
            ("\"heart-rate\"", "", 422),
            ("\"max\": 65", "\"max\": 17", 422),
            ("Lombardia", "Padania", 422),
            ("{\"region\": \"Lombardia\"}", "{\"region\": \"Lombardia\", \"province\": \"MI\"}", 422),
            ("\"day\"", "\"hour\"", 422),
            ("heart-rate", "position", 422),
            ("2025-06-02", "2025-05-31", 422),
            ("2025-06-02", "2025-09-30", 422),
            ("\"to\": \"2025-06-02\"", "\"to\": \"2025-06-30\"", 422),
        ])
    func refusedParameters(part: String, replacement: String, status: Int) async throws {
        try await World.with { world in
            let answer = try await world.asCompany(
                .post, "/group-requests", Self.question.replacing(part, with: replacement))
            #expect(answer.status == status, "\(answer.text)")
            #expect(try await world.statistics.queryOne("select count(*) from release", as: Int64.self) == 0)
        }
    }

    @Test("GRP-09: nothing is decided while profiles are being added, or before they have come as a whole")
    func loading() async throws {
        try await World.with { world in
            #expect(
                try await world.asCompany(.post, "/group-requests", Self.question).code == "statistics-being-loaded")
            try await Self.populate(world, count: 1001)
            world.clock.advance(by: .seconds(-9))
            #expect(
                try await world.asCompany(.post, "/group-requests", Self.question).code == "statistics-being-loaded")
            world.clock.advance(by: .seconds(9))
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 200)
        }
    }

    @Test("GRP-09: a day is decided on only when all its batches have come, however long they take and in any order")
    func partOfADay() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 0)
            let subjects = (0..<1200).map { Int32($0) }
            try await world.apply(
                ProfileIntake(clock: world.clock),
                try subjects.map { try World.record("profile", SubjectMaskTests.profile($0, .female)) })
            try await world.statistics.execute("delete from rollup_day")
            let publication = UUID.random()
            let batches = try [subjects.prefix(1100), subjects.suffix(100)].map {
                try World.record("day", Self.rollups(of: Self.days[0], Array($0), publication))
            }
            let complete = try World.record(
                "day-complete", Ingestion.DayComplete(day: Self.days[0], publication: publication, batches: 2))
            for part in [batches[0], complete] {
                try await world.apply(RollupIntake(clock: world.clock), [part])
                world.clock.advance(by: .seconds(3600))
                let early = try await world.asCompany(.post, "/group-requests", Self.question)
                #expect(early.status == 503 && early.code == "statistics-being-loaded")
            }
            #expect(try await world.statistics.queryOne("select count(*) from release", as: Int64.self) == 0)
            try await world.apply(RollupIntake(clock: world.clock), [batches[1]])
            let answer = try await world.asCompany(.post, "/group-requests", Self.question)
            let count = try #require(answer["buckets"]?.items.first?["count"]?.double)
            let noise = try #require(answer["buckets"]?.items.first?["count_noise"]?.double)
            #expect(abs(count - 1200) < 6 * noise)
            // The other day never came: it has no verdict that could stand when it comes after all.
            #expect(answer["buckets"]?.items.last?["suppressed"]?.flag == true)
            let pending = try await world.statistics.queryOne(
                "select count(*) from release where state = 'pending'", as: Int64.self)
            #expect(pending == 1)
            #expect(try await world.statistics.queryOne("select count(*) from rollup_publication", as: Int64.self) == 0)
        }
    }

    @Test("GRP-09 NFR-04: days that a snapshot lists and that never came are asked for; complete ones are not")
    func lackingDays() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let lacking = CalendarDate("2025-06-03")!
            try await world.snapshot(
                RollupIntake(clock: world.clock),
                try (Self.days + [lacking]).map { try World.entity("closed", Ingestion.ClosedDay(day: $0)) })
            let later = Self.question.replacing("\"2025-06-02\"", with: "\"2025-06-03\"")
            #expect(try await world.asCompany(.post, "/group-requests", later).code == "statistics-being-loaded")
            #expect(try await world.asCompany(.post, "/group-requests", Self.question).status == 200)
            try await world.round()
            #expect(world.neighbours.daysAskedFor == [lacking])

            // One batch came and no more: it is asked for when nothing has come for a while.
            try await world.apply(
                RollupIntake(clock: world.clock), [try World.record("day", Self.rollups(of: lacking, [1], .random()))])
            try await world.round()
            #expect(world.neighbours.daysAskedFor == [lacking])
            world.clock.advance(by: .seconds(601))
            try await world.round()
            #expect(world.neighbours.daysAskedFor == [lacking, lacking])
            let publication = UUID.random()
            try await world.apply(
                RollupIntake(clock: world.clock),
                [
                    try World.record("day", Self.rollups(of: lacking, [1, 2], publication)),
                    try World.record(
                        "day-complete", Ingestion.DayComplete(day: lacking, publication: publication, batches: 1)),
                ])
            #expect(try await world.asCompany(.post, "/group-requests", later).status == 200)
            // Nothing is left of the publication that broke off.
            #expect(try await world.statistics.queryOne("select count(*) from rollup_publication", as: Int64.self) == 0)

            // As the version before leaves a day.
            try await world.statistics.execute("delete from rollup_day where day = \(lacking)")
            try await world.round()
            #expect(world.neighbours.daysAskedFor == [lacking, lacking, lacking])
        }
    }

    @Test("GRP-01 GRP-09: all ages beside another condition are none, and cost nothing anew")
    func allAges() async throws {
        try await World.with { world in
            try await Self.populate(world, count: 1001)
            let women = Self.question.replacing("\"age\": {\"min\": 18, \"max\": 65}, ", with: "")
            let all = Self.question.replacing("\"min\": 18, \"max\": 65", with: "\"min\": 0, \"max\": 120")
            let answer = try await world.asCompany(.post, "/group-requests", women)
            #expect(answer.status == 200)
            #expect(try await world.asCompany(.post, "/group-requests", all)["buckets"] == answer["buckets"])
            let everybody = """
                {"data_types": ["heart-rate"], "bucket": "day", "from": "2025-06-01", "to": "2025-06-02",
                  "where": {"age": {"max": 120}}}
                """
            #expect(try await world.asCompany(.post, "/group-requests", everybody).status == 200)
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
