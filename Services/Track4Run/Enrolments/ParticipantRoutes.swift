import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Security
import Service

/// Participants: the list for the organiser (RUN-12), the evidence of a result, and for spectators the one runner whose
/// exact e-mail address or fiscal code they know (RUN-09). Each of these reads is in the audit trail; a list is one entry for all.
struct ParticipantRoutes: Sendable {
    let store: Store
    let audit: AuditTrail
    let runs: RunRoutes
    let unreadable: UnreadableRows
    let accounts: any RPCCaller
    /// Counts searches that found nobody.
    let misses: AddressLimit

    static let missesMax = 30
    static let missesWindow = Duration.seconds(3600)

    func add(to routes: inout ServiceRoutes) {
        let all = "\(RunRoutes.prefix)/runs/:run/participants"
        routes.on(.get, all, access: .organisers) { try await list($0, for: $1.account) }
        routes.on(.get, "\(all)/:bib/evidence", access: .organisers) { try await explain($0, for: $1.account) }
        routes.on(.post, "\(RunRoutes.prefix)/runs/:run/runner-search", access: .anyone) { try await search($0) }
    }

    private struct Participant: Encodable {
        let bib: Int
        let name: String
        let state: Enrolment.State
    }

    private struct Participants: Encodable {
        let participants: [Participant]
    }

    private func list(_ request: HTTPRequest, for account: UUID) async throws -> HTTPResponse {
        let run = try await runs.find(try request.parameter("run"))
        guard run.organiser == account else { throw RunPlanning.notTheOrganiser }
        let noted = audit.noting(
            "track4run.participants", by: "organiser", purpose: "run \(run.id)", of: "null::uuid",
            onBehalfOf: "audit_pseudonym(\(account))")
        let rows = try await store.database.query(
            """
            with noted as (\(sql: noted))
            select runner_id, bib, name, state from enrolment where run_id = \(run.id) order by bib
            """,
            as: UUID.self, Int32.self, [UInt8].self, Enrolment.State.self)
        let held = try await store.keys.keySet(of: rows.map(\.0))
        return try .json(
            Participants(
                participants: rows.map { runner, bib, name, state in
                    let readable = unreadable.read("track4run.enrolment", runner) {
                        try PersonalColumn.runnerName.open(name, row: [run.id, runner], with: held.key(of: runner))
                    }
                    return Participant(bib: Int(bib), name: readable ?? "#\(bib)", state: state)
                }))
    }

    private struct Explanation: Encodable {
        let bib: Int
        /// Whether the result is official.
        let final: Bool
        let evidence: Evidence
    }

    /// The evidence of a runner's result, for the runner and the organiser (RUN-10).
    private func explain(_ request: HTTPRequest, for account: UUID) async throws -> HTTPResponse {
        let run = try await runs.find(try request.parameter("run"))
        guard let bib = Int32(try request.parameter("bib")) else { throw Problem.notFound }
        // Who reads the own one reads nobody else's.
        let noted = audit.noting(
            "track4run.evidence", by: "organiser", purpose: "run \(run.id)",
            of: "audit_pseudonym((select runner_id from found))", onBehalfOf: "audit_pseudonym(\(account))",
            when: "\(account) = \(run.organiser) and exists (select from found where runner_id <> \(account))")
        let found = try await store.database.queryOne(
            """
            with found as materialized (
              select e.runner_id, r.content as result, p.content as progress
              from enrolment e left join result r on r.run_id = e.run_id and r.runner_id = e.runner_id
                left join progress p on p.run_id = e.run_id and p.runner_id = e.runner_id
              where e.run_id = \(run.id) and e.bib = \(bib)),
            noted as (\(sql: noted))
            select runner_id, result, progress from found
            """, as: UUID.self, [UInt8]?.self, [UInt8]?.self)
        guard let (runner, result, progress) = found else { throw Problem.notFound }
        guard account == run.organiser || account == runner else { throw RunPlanning.notTheOrganiser }
        let row = [run.id, runner]
        let held = try await store.keys.keySet(of: [runner])
        var evidence = RunnerProgress(start: run.start).evidence
        if let result {
            evidence = try PersonalColumn.result.open(
                result, as: Ranking.Stored.self, row: row, with: held.key(of: runner)
            ).evidence
        } else if let progress {
            evidence = try PersonalColumn.progress.open(
                progress, as: RunnerProgress.self, row: row, with: held.key(of: runner)
            ).evidence
        }
        return try .json(Explanation(bib: Int(bib), final: run.state == .final, evidence: evidence))
    }

    private struct Search: Decodable {
        let email: EmailAddress?
        let fiscalCode: FiscalCode?
    }

    private struct Found: Encodable {
        let bib: Int
    }

    /// Limited by address, so that nobody can find out by trying who runs (REQ-02). The answer is the same for people
    /// without an account and for those who do not take part, and there is one only while the run is under way or over.
    private func search(_ request: HTTPRequest) async throws -> HTTPResponse {
        let run = try await runs.find(try request.parameter("run"))
        let search: Search = try request.json()
        guard (search.email == nil) != (search.fiscalCode == nil) else {
            throw RunDraft.invalid("one-of-two", "", "Give either an e-mail address or a fiscal code.")
        }
        let now = store.clock.now()
        let phase = run.phase(at: now)
        guard phase == .underWay || phase == .past else { throw Self.unknownRunner }
        // Counted before the search and uncounted when it succeeds, so that concurrent searches do not exceed the
        // limit.
        let counted = try count(request)
        guard let account = try await account(search) else { throw Self.unknownRunner }
        let noted = audit.noting(
            "track4run.runner_search", by: "spectator", purpose: "run \(run.id)", of: "audit_pseudonym(\(account))",
            onBehalfOf: "null::uuid", when: "exists (select from found)")
        let bib = try await store.database.queryOne(
            """
            with found as materialized (
              select bib from enrolment
              where run_id = \(run.id) and runner_id = \(account) and state in ('checked-in', 'left')),
            noted as (\(sql: noted))
            select bib from found
            """, as: Int32.self)
        guard let bib else { throw Self.unknownRunner }
        misses.takeBack(counted)
        return try .json(Found(bib: Int(bib)))
    }

    private func count(_ request: HTTPRequest) throws(Problem) -> AddressLimit.Counted {
        do throws(AddressLimit.Exceeded) { return try misses.count(request.clientAddress) } catch {
            throw Problem.tooManyRequests(
                RateLimit(
                    policy: "runner-search", quota: Self.missesMax,
                    windowSeconds: Int(Self.missesWindow.milliseconds / 1000), remaining: 0,
                    resetSeconds: Int(error.retryAfter.milliseconds / 1000) + 1))
        }
    }

    private func account(_ search: Search) async throws(RPCError) -> UUID? {
        do throws(RPCError) {
            let params = Accounts.Find.Params(fiscalCode: search.fiscalCode, email: search.email, purpose: "run")
            return try await accounts.call(Accounts.Find.self, params).accountID
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private static let unknownRunner = Problem(
        .notFound, code: "no-such-runner", detail: "nobody with this e-mail address or fiscal code runs here")
}
