import HTTP
import Postgres
import Primitives
import Security
import Service

/// `/track4run/v1/me/enrolments`: a runner's enrolments, and what came of them (RUN-05, RUN-11).
struct OwnEnrolments: Sendable {
    private static let limitMax = 100

    let runs: RunRoutes

    func add(to routes: inout ServiceRoutes) {
        let path = "\(RunRoutes.prefix)/me/enrolments"
        routes.on(.get, path, access: .account(.individual), query: .read) { request, caller in
            try .json(
                try await list(
                    try request.parameters { (query) throws(Problem) in Search(&query) }, of: caller.account))
        }
    }

    private struct Search: Sendable {
        /// Identifier or code of the one run that is asked for.
        let run: String?
        let selection: RunSelection?
        let after: RunSelection.Key?
        let limit: Int

        init(_ query: inout QueryReader) {
            run = query.text("run")
            if let run, UUID(run) == nil, RunCode.parse(run) == nil {
                query.refuse("run", "write the identifier of a run, or its code")
            }
            selection = query.choice("state")
            after = query.cursor()
            limit = query.number("limit", 1...OwnEnrolments.limitMax) ?? 20
        }
    }

    private struct View: Encodable, Sendable {
        let run: RunView
        let bib: Int
        let state: Enrolment.State
        /// `false` when the clauses have changed since the runner accepted them (RUN-06).
        let clausesAccepted: Bool
        /// When the runner is asked for the check-in (RUN-08).
        let checkInFrom: Timestamp
        /// The official result.
        let placing: Placing?
    }

    private struct Page: Encodable, Sendable {
        let enrolments: [View]
        /// `nil` on the last page.
        let next: String?
    }

    private func list(_ search: Search, of runner: UUID) async throws -> Page {
        let (store, now) = (runs.store, runs.store.clock.now())
        // The runner's runs are few: they are found by their keys, whatever else is asked for.
        var condition: SQL = "where id = any(array(select run_id from enrolment where runner_id = \(runner)))"
        if let name = search.run {
            guard let run = try await runs.known(name) else { return Page(enrolments: [], next: nil) }
            condition = """
                where id = \(run.id)
                  and exists (select from enrolment e where e.run_id = run.id and e.runner_id = \(runner))
                """
        }
        let (found, next) = try await runs.page(
            condition + RunSelection.page(search.selection, at: now, after: search.after, limit: search.limit),
            limit: search.limit)
        let enrolments = try await Enrolment.of(runner: runner, in: found.map(\.id), session: store.database)
        let placings = try await Ranking.placings(
            of: runner, in: found.filter { $0.state == .final }.map(\.id), store.keys, session: store.database)
        let byRun = Dictionary(enrolments.map { ($0.run, $0) }) { first, _ in first }
        return Page(
            enrolments: found.compactMap { run in
                byRun[run.id].map { enrolment in
                    View(
                        run: RunView(run, at: now), bib: enrolment.bib, state: enrolment.state,
                        clausesAccepted: enrolment.clausesAccepted,
                        checkInFrom: run.start - runs.settings.checkInBefore, placing: placings[run.id])
                }
            }, next: next)
    }
}
