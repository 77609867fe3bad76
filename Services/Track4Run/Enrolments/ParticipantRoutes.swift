import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Security
import Service

/// Who takes part: the list for the organiser (RUN-12), and for spectators one runner whose exact e-mail address or
/// fiscal code they know (RUN-09).
struct ParticipantRoutes: Sendable {
    let store: Store
    let runs: RunRoutes
    let accounts: any RPCCaller
    /// Of searches that found nobody.
    let misses: AddressLimit

    static let missesMax = 30
    static let missesWindow = Duration.seconds(3600)

    func add(to routes: inout ServiceRoutes) {
        routes.on(.get, "\(RunRoutes.prefix)/runs/:run/participants", access: .organisers) {
            try await list($0, for: $1.account)
        }
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
        let rows = try await store.database.query(
            "select runner_id, bib, name, state from enrolment where run_id = \(run.id) order by bib",
            as: UUID.self, Int32.self, [UInt8].self, Enrolment.State.self)
        return try .json(
            Participants(
                participants: try rows.map { runner, bib, name, state in
                    Participant(
                        bib: Int(bib), name: try store.columns.open(name, .runnerName, row: [run.id, runner]),
                        state: state)
                }))
    }

    private struct Search: Decodable {
        let email: EmailAddress?
        let fiscalCode: FiscalCode?
    }

    private struct Found: Encodable {
        let bib: Int
    }

    /// Limited by address, so that nobody can try out who runs (REQ-02). Whether somebody has no account or does not take
    /// part is answered alike, and only while the run is under way or over.
    private func search(_ request: HTTPRequest) async throws -> HTTPResponse {
        let run = try await runs.find(try request.parameter("run"))
        let search: Search = try request.json()
        guard (search.email == nil) != (search.fiscalCode == nil) else {
            throw RunDraft.invalid("one-of-two", "", "Give either an e-mail address or a fiscal code.")
        }
        let now = store.clock.now()
        let phase = run.phase(at: now)
        guard phase == .underWay || phase == .past else { throw Self.unknownRunner }
        // Counted until it has succeeded, so that searches at the same time do not get past the limit.
        let counted = try count(request)
        guard let account = try await account(search) else { throw Self.unknownRunner }
        let bib = try await store.database.queryOne(
            """
            select bib from enrolment
            where run_id = \(run.id) and runner_id = \(account) and state = 'checked-in'
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
