import Contracts
import HTTP
import Postgres
import Primitives
import Security
import Service

/// `/track4run/v1/runs`: planning for organisers, lists for everybody (RUN-01 to RUN-05).
struct RunRoutes: Sendable {
    static let prefix = "/track4run/v1"
    /// Room for a path of 20,000 points.
    private static let bodyBytesMax = 2 << 20
    private static let ownRunsMax: Int64 = 200

    let store: Store
    let runs: RunStore
    let planning: RunPlanning
    let settings: Track4RunSettings
    let unreadable: UnreadableRows

    func add(to routes: inout ServiceRoutes) {
        let body = HTTPBodyPolicy.buffered(bytesMax: Self.bodyBytesMax)
        let (all, one) = ("\(Self.prefix)/runs", "\(Self.prefix)/runs/:run")
        routes.on(.post, all, access: .organisers, body: body) { try await create($0, by: $1) }
        routes.on(.get, all, access: .anyone, query: .read) { request in
            try .json(try await list(try request.parameters { (query) throws(Problem) in RunSearch(&query) }))
        }
        routes.on(.get, one, access: .anyone) { request in
            try .json(try await show(try await find(try request.parameter("run"))))
        }
        routes.on(.patch, one, access: .organisers, body: body) { try await edit($0, by: $1) }
        routes.on(.delete, one, access: .organisers) { try await cancel($0, by: $1) }
        routes.on(.get, "\(Self.prefix)/me/runs", access: .organisers) { _, caller in
            try await own(caller.account)
        }
    }

    private struct Created: Encodable {
        let id: UUID
        let code: String
    }

    private func create(_ request: HTTPRequest, by organiser: Identity) async throws -> HTTPResponse {
        let run = try await planning.create(try request.json(limits: RunStore.pathLimits), by: organiser)
        var response = try HTTPResponse.json(Created(id: run.id, code: run.code), status: .created)
        response.fields["Location"] = "\(Self.prefix)/runs/\(run.id)"
        return response
    }

    /// A page of the list.
    func list(_ search: RunSearch) async throws -> RunPage {
        let now = store.clock.now()
        let condition = try await search.condition(now: now, timeZone: settings.timeZone, in: store.database)
        let (found, next) = try await page(condition, limit: search.limit)
        return RunPage(runs: found.map { RunView($0, at: now) }, next: next)
    }

    /// The runs of a page that can be read, and the cursor of the next one. `condition` selects one run more than `limit`.
    func page(_ condition: SQL, limit: Int) async throws -> (runs: [Run], next: String?) {
        var found = try await runs.listed(condition, reporting: unreadable, in: store.database)
        var next: String?
        if found.count > limit {
            found.removeLast(found.count - limit)
            if let last = found.last { next = try HTTPCursor.encode(last.key) }
        }
        return (found.compactMap(\.run), next)
    }

    /// The run with its course. Errors: 404.
    func show(_ run: Run) async throws -> RunView {
        guard let course = try await runs.course(of: run.id, in: store.database) else { throw Problem.notFound }
        return RunView(run, course, at: store.clock.now())
    }

    private func edit(_ request: HTTPRequest, by organiser: Identity) async throws -> HTTPResponse {
        let run = try await find(try request.parameter("run"))
        let draft: RunDraft = try request.json(limits: RunStore.pathLimits)
        return try .json(
            RunView(try await planning.edit(run.id, draft, by: organiser), at: store.clock.now()))
    }

    private func cancel(_ request: HTTPRequest, by organiser: Identity) async throws -> HTTPResponse {
        try await planning.cancel(try await find(try request.parameter("run")).id, by: organiser)
        return .noContent
    }

    private func own(_ account: UUID) async throws -> HTTPResponse {
        let now = store.clock.now()
        let organised = try await runs.listed(
            "where organiser_id = \(account) order by starts_at desc limit \(Self.ownRunsMax)",
            reporting: unreadable, in: store.database
        ).compactMap(\.run)
        return try .json(OwnRuns(organised: organised.map { RunView($0, at: now) }))
    }

    /// Finds a run by identifier or code. Errors: 404.
    func find(_ name: String) async throws -> Run {
        guard let run = try await known(name) else { throw Problem.notFound }
        return run
    }

    /// The run with this identifier or code, if there is one.
    func known(_ name: String) async throws -> Run? {
        if let id = UUID(name), let run = try await runs.run(id, in: store.database) { return run }
        guard let code = RunCode.parse(name) else { return nil }
        return try await runs.run(code: code, in: store.database)
    }
}

extension Access {
    /// Accounts that may plan runs (RUN-01).
    static let organisers = Access.account(.individual, .thirdParty, .organiser, scope: .runs)
}
