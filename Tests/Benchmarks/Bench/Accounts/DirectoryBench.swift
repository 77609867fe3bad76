import Contracts
import Domain
import Glibc
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import SeededRandom
import SuiteClient

/// Provisions a million people, then looks them up by fiscal code and e-mail in turn, 1,000 times a second, against a server that
/// does the same without audit. `TRACKME_BENCH_PEOPLE` sets another number, for machines with less time.
enum DirectoryBench {
    private static let peopleDefault = 1_000_000
    private static let callsAtOnce = 4
    private static let rate = 1000
    /// Each side has its turn so often, for so many seconds.
    private static let turns = 4
    private static let turnSeconds = 5
    private static let population = "bench-population-of-the-directory"

    /// What a look-up asks for.
    private struct Person: Sendable {
        let code: FiscalCode
        let email: EmailAddress
    }

    static func run(_ report: inout Report) async throws {
        let count = getenv("TRACKME_BENCH_PEOPLE").flatMap { Int(String(cString: $0)) } ?? peopleDefault
        let (elapsed, audited, plain, commit) = try await ServicesBed.with([.accounts]) { bed in
            let people = Population(count: count).people
            let start = Deadline.now()
            try await provision(people, bed)
            let elapsed = seconds(since: start)
            try await tied(in: bed)
            // What autovacuum and the next checkpoint would have done by tomorrow.
            try await bed.database(of: .accounts).execute("vacuum (analyze)", deadline: .after(.seconds(600)))
            try await bed.database(of: .accounts).execute("checkpoint", deadline: .after(.seconds(600)))
            let asked = people.map { Person(code: $0.fiscalCode, email: $0.email) }
            let (audited, plain, commit) = try await lookUp(asked, bed)
            let schema = AuditTables.schema(beside: bed.schemas(of: .accounts).own)
            let audit = try await bed.database(of: .accounts).queryOne(
                """
                select (select count(*) from \(identifier: schema).audit_entry where purpose = 'bench')
                  + (select count(*) from \(identifier: schema).audit_waiting where purpose = 'bench')
                """, as: Int.self)
            guard audit == audited.calls + warmCalls else { throw BenchError.failed("\(audit ?? 0) entries of audit") }
            return (elapsed, audited, plain, commit)
        }
        report.add("provisioning of \(count) people", Double(count) / elapsed, "/s", atLeast: 5000)
        report.note("look-ups, p50: \(rounded(audited.p50)) ms; without audit: \(rounded(plain.p50)) ms")
        report.note(
            "one commit of a row at \(rate)/s: p50 \(rounded(commit.p50)) ms, p99 \(rounded(commit.p99)) ms; an audited look-up waits for one"
        )
        report.add("look-ups among \(count) at \(rate)/s, audited, p99", audited.p99, "ms", atMost: 5)
        report.add(
            "look-ups among \(count) at \(rate)/s, audited, p99", audited.p99, against: "without audit", plain.p99,
            "ms",
            .atMost(2))
    }

    /// Waits until the entries of provisioning are tied to the audit trail, which goes on for minutes after it.
    private static func tied(in bed: ServicesBed) async throws {
        let schema = AuditTables.schema(beside: bed.schemas(of: .accounts).own)
        let deadline = Deadline.after(.seconds(900))
        while try await bed.database(of: .accounts).queryOne(
            "select exists (select from \(identifier: schema).audit_waiting)", as: Bool.self) == true
        {
            guard !deadline.hasPassed else { throw BenchError.failed("the audit trail is not tied in 15 minutes") }
            try await EventLoop.current?.sleep(for: .seconds(1))
        }
    }

    private static func provision(_ people: [SimulatedPerson], _ bed: ServicesBed) async throws {
        try await bed.calling(.accounts, as: "simulator") { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let each = Accounts.Provision.peopleMax
                for worker in 0..<callsAtOnce {
                    group.addTask {
                        for first in stride(from: worker * each, to: people.count, by: callsAtOnce * each) {
                            let some = people[first..<min(first + each, people.count)]
                            let made = try await client.call(
                                Accounts.Provision.self,
                                .init(population: population, people: some.map(\.provision), tokens: false),
                                deadline: .after(.seconds(60)))
                            guard made.people.count == some.count else { throw BenchError.failed("people are missing") }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static let warmCalls = 2 * rate

    private static func lookUp(
        _ people: [Person], _ bed: ServicesBed
    ) async throws -> (audited: TimedCalls, plain: TimedCalls, commit: TimedCalls) {
        let server = try Child(Programs.own, PlainDirectory.arguments(bed), on: .both)
        Side.both.pin()
        let plain = try PlainDirectory.client(try server.port(), loops: bed.loops)
        let database = bed.database(of: .accounts)
        try await database.execute("create table bench_commit (number integer not null)")
        let outcome: Result<(TimedCalls, TimedCalls, TimedCalls), any Error>
        do {
            outcome = .success(
                try await bed.calling(.accounts, as: "query") { audited in
                    var (one, other, commit) = (TimedCalls(), TimedCalls(), TimedCalls())
                    for client in [audited, plain] {
                        for number in 0..<warmCalls { try await find(number, people, client) }
                    }
                    for _ in 0..<turns {
                        try await one.run(rate: rate, seconds: turnSeconds) { try await find($0, people, audited) }
                        try await other.run(rate: rate, seconds: turnSeconds) { try await find($0, people, plain) }
                        // What the disk does at the same time.
                        try await commit.run(rate: rate, seconds: turnSeconds) {
                            try await database.execute("insert into bench_commit values (\(Int32($0)))")
                        }
                    }
                    return (one, other, commit)
                })
        } catch { outcome = .failure(error) }
        await plain.close()
        server.end()
        return try outcome.get()
    }

    private static func find(_ number: Int, _ people: [Person], _ client: RPCClient) async throws {
        var generator = SeededGenerator(seed: 9, stream: number)
        let person = people[generator.index(below: people.count)]
        let params =
            number.isMultiple(of: 2)
            ? Accounts.Find.Params(fiscalCode: person.code, purpose: "bench")
            : Accounts.Find.Params(email: person.email, purpose: "bench")
        _ = try await client.call(Accounts.Find.self, params)
    }
}
