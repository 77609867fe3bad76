import Contracts
import Domain
import Feed
import HTTP
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Track4Run

@Suite struct ErasureTests {
    private let path = Paths.path([(90, 2000)])

    private func erase(
        _ account: UUID, _ test: Track4RunTest, _ kind: AccountKind = .individual
    ) async throws -> [String: Accounts.ErasedItem] {
        let follower = ErasureFollower(
            test.parts.erasure, test.context, in: test.database, keys: test.parts.store.keys)
        let id = try await follower.erase(account, kind, at: test.clock.now(), in: test.database)
        return try await ErasureFollower.items(of: id, in: test.database)
    }

    private struct Ranking: Decodable {
        let final: Bool
        let placings: [Placing]
    }

    private func ranking(_ test: Track4RunTest, _ run: UUID) async throws -> Ranking {
        try await test.call(.get, "/runs/\(run)/ranking").decode()
    }

    /// Nothing of the account is in any column of ids.
    private func isGone(_ account: UUID, _ test: Track4RunTest) async throws -> Bool {
        try await test.database.queryOne(
            """
            select not exists (select from enrolment where runner_id = \(account))
              and not exists (select from runner where account_id = \(account))
              and not exists (select from progress where runner_id = \(account))
              and not exists (select from result where runner_id = \(account))
              and not exists (select from run where organiser_id = \(account))
            """, as: Bool.self) == true
    }

    @Test("ACC-12b ACC-12d: Results of who is erased stay without a name, and so do others' places")
    func results() async throws {
        try await Track4RunTest.with { test in
            let (run, runners, start) = try await test.begun(2, path: path)
            for (runner, speed) in zip(runners, [4.0, 3.0]) {
                try await test.send(Samples.running(runner, path, from: start, speed: speed, seconds: 700))
            }
            test.clock.advance(by: .seconds(3600 + 600))
            try await test.tick()
            try await test.tick(.init(appliedUntil: start + .seconds(3600 + 120), age: .zero))
            let before = try await ranking(test, run)
            #expect(before.final && before.placings.map(\.name) == ["Runner 1 Rossi", "Runner 2 Rossi"])
            let items = try await erase(runners[0], test)
            #expect(items["results-without-name"]?.count == 1 && items["enrolments"]?.count == 1)
            #expect(try await isGone(runners[0], test))
            try await test.parts.live.refresh(at: test.clock.now())
            let after = try await ranking(test, run)
            #expect(after.placings.map(\.name) == [RunStore.nobody, "Runner 2 Rossi"])
            #expect(after.placings.map(\.time) == before.placings.map(\.time))
            #expect(after.placings.map(\.bib) == before.placings.map(\.bib))
            let evidence = try await test.call(
                .get, "/runs/\(run)/participants/\(after.placings[0].bib)/evidence", as: test.organiser, .thirdParty)
            #expect(!String(decoding: evidence.bytes, as: UTF8.self).contains("Runner 1"))
        }
    }

    @Test("ACC-12d: Who is erased in a run leaves it: nobody sees or watches the runner any more")
    func underWay() async throws {
        try await Track4RunTest.with { test in
            let (run, runners, start) = try await test.begun(2, path: path)
            try await test.send(Samples.running(runners[0], path, from: start, speed: 3, seconds: 60))
            #expect(try await test.watched() == Set(runners))
            _ = try await erase(runners[0], test)
            #expect(try await test.watched() == [runners[1]])
            #expect(try await isGone(runners[0], test))
            #expect(try await ranking(test, run).placings.map(\.name) == ["Runner 2 Rossi"])
            // Samples that were on their way change nothing.
            try await test.send(Samples.running(runners[0], path, from: start, speed: 3, seconds: 90))
            #expect(try await ranking(test, run).placings.map(\.name) == ["Runner 2 Rossi"])
            #expect(try await isGone(runners[0], test))
        }
    }

    @Test("ACC-12d: The upcoming runs of who leaves are cancelled, and their runners told; past ones have no organiser")
    func organiser() async throws {
        try await Track4RunTest.with { test in
            let organiser = UUID.random()
            test.neighbours.name(organiser, "Olga Neri")
            let upcoming = try await test.call(.post, "/runs", as: organiser, body: try test.draft(name: "Upcoming"))
            let run: Track4RunTest.Created = try upcoming.decode()
            let runner = UUID.random()
            #expect(try await test.enrol(runner, in: run.id).status == .created)
            let items = try await erase(organiser, test)
            #expect(items["cancelled-runs"]?.count == 1 && items["organised-runs"]?.count == 1)
            #expect(try await isGone(organiser, test))
            let shown = try await test.call(.get, "/runs/\(run.id)")
            let text = String(decoding: shown.bytes, as: UTF8.self)
            #expect(text.contains("cancelled") && !text.contains("Olga"))
            try await test.tick()
            #expect(test.neighbours.notices.contains { $0.template == "run-cancelled" && $0.accountID == runner })
        }
    }

    @Test("ACC-12d: The runs of a company that leaves are cancelled; those it has published stay with its name")
    func company() async throws {
        try await Track4RunTest.with { test in
            let run = try await test.create()
            let items = try await erase(test.organiser, test, .thirdParty)
            #expect(items["cancelled-runs"]?.count == 1 && items["published-runs"]?.ground == .othersHistory)
            let state = try await test.database.queryOne("select state from run where id = \(run.id)", as: String.self)
            #expect(state == "cancelled")
        }
    }

    /// What is sealed of somebody: column, row and value, as a copy that is made now has them.
    private func sealed(_ test: Track4RunTest, of account: UUID) async throws -> [(PersonalColumn, [UUID], [UInt8])] {
        let questions: [(PersonalColumn, SQL)] = [
            (.organiserName, "select id, id, organiser_name from run where organiser_id = \(account)"),
            (.runnerName, "select run_id, runner_id, name from enrolment where runner_id = \(account)"),
            (.progress, "select run_id, runner_id, content from progress where runner_id = \(account)"),
            (.result, "select run_id, runner_id, content from result where runner_id = \(account)"),
        ]
        var values: [(PersonalColumn, [UUID], [UInt8])] = []
        for (column, question) in questions {
            let rows = try await test.database.query(question, as: UUID.self, UUID.self, [UInt8].self)
            values += rows.map { (column, column == .organiserName ? [$0.0] : [$0.0, $0.1], $0.2) }
        }
        return values
    }

    @Test("ACC-12b NFR-05d: After an erasure a copy of the rows, made before, opens with nothing that there still is")
    func backups() async throws {
        try await Track4RunTest.with { test in
            let runner = UUID.random()
            test.neighbours.name(runner, "Olga Neri")
            let own = try await test.call(
                .post, "/runs", as: runner, body: try test.draft(name: "Upcoming", startsIn: .seconds(3 * 86_400)))
            #expect(own.status == .created)
            let (_, runners, start) = try await test.begun(path: path)
            try await test.send(Samples.running(runners[0], path, from: start, speed: 4, seconds: 700))
            var backup = try await sealed(test, of: runner)
            backup += try await sealed(test, of: runners[0])
            test.clock.advance(by: .seconds(3600 + 600))
            try await test.tick()
            try await test.tick(.init(appliedUntil: start + .seconds(3600 + 120), age: .zero))
            backup += try await sealed(test, of: runners[0])
            #expect(Set(backup.map(\.0)) == Set(PersonalColumn.allCases))

            let all = test.parts.store.keys
            let accounts = [runner, runners[0]]
            func readable() async throws -> Set<PersonalColumn> {
                // As another process.
                let keys = try await SubjectKeys(store: all.store, cipher: all.cipher).existingKeys(of: accounts)
                return Set(
                    backup.filter { column, row, value in
                        keys.values.contains { (try? $0.open(value, at: column.location(row))) != nil }
                    }.map(\.0))
            }
            #expect(try await readable() == Set(PersonalColumn.allCases))
            for account in accounts { _ = try await erase(account, test) }
            #expect(try await readable().isEmpty)
        }
    }

    @Test("ACC-12c NFR-03b: A key that could not be destroyed is destroyed before the erasure is reported")
    func destroyedLater() async throws {
        try await Track4RunTest.with { test in
            let run = try await test.create()
            let runner = UUID.random()
            #expect(try await test.enrol(runner, in: run.id).status == .created)
            let keys = test.parts.store.keys
            let follower = ErasureFollower(test.parts.erasure, test.context, in: test.database, keys: keys)
            let home = keys.store.database.configuration.connectionInfo
            await keys.store.database.lead(to: "host=127.0.0.1 port=1")
            try await follower.erase(runner, at: test.clock.now(), in: test.database)
            #expect(try await isGone(runner, test))
            await #expect(throws: (any Error).self) { try await follower.report(at: test.clock.now()) }
            let isReported: SQL = "select reported_at is not null from erasure"
            #expect(try await test.database.queryOne(isReported, as: Bool.self) == false)

            await keys.store.database.lead(to: home)
            #expect(try await SubjectKeys(store: keys.store, cipher: keys.cipher).existingKey(of: runner) != nil)
            // The claim of the first try is over.
            try await follower.report(at: test.clock.now() + .seconds(60))
            #expect(try await SubjectKeys(store: keys.store, cipher: keys.cipher).existingKey(of: runner) == nil)
            #expect(try await test.database.queryOne(isReported, as: Bool.self) == true)
        }
    }
}
