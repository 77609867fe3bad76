import HTTP
import JSON
import Primitives
import Reactor
import Service

/// `/track4run/v1/runs/:run/live` and `/ranking`: for spectators, without an account (RUN-09, RUN-11).
struct LiveRoutes: Sendable {
    let live: LiveRuns
    let runs: RunRoutes
    let store: Store
    let settings: Track4RunSettings

    func add(to routes: inout ServiceRoutes) {
        routes.on(.get, "\(RunRoutes.prefix)/runs/:run/live", access: .anyone) { try await follow($0) }
        routes.on(.get, "\(RunRoutes.prefix)/runs/:run/ranking", access: .anyone) { request in
            try .json(try await ranking(of: try await runs.find(try request.parameter("run"))))
        }
    }

    private func follow(_ request: HTTPRequest) async throws -> HTTPResponse {
        let found = try await runs.find(try request.parameter("run"))
        guard let run = try await live.run(found.id) else { throw Problem.notFound }
        guard run.spectatorCount < settings.spectatorsMax else {
            throw Problem(
                .serviceUnavailable, code: "too-many-spectators", detail: "try again in a while",
                retryAfter: .seconds(10))
        }
        let (clock, spectatorsMax) = (store.clock, settings.spectatorsMax)
        let spectator = SpectatorStream(lastEventID: request.field("last-event-id"))
        return .live { writer in
            let number = try run.join(spectator, spectatorsMax: spectatorsMax, at: clock.now())
            defer { run.leave(number) }
            try await request.serverEnd.calling {
                spectator.end()
            } during: {
                try await spectator.drain(into: writer)
            }
        }
    }

    /// The official ranking; until there is one, the placings at the moment. After the end of the run these are
    /// provisional.
    func ranking(of run: Run) async throws -> LiveEvents.Ranking {
        if run.state == .final {
            let placings = try await Ranking.stored(run.id, store.keys, in: store.database)
            return LiveEvents.Ranking(final: true, placings: placings)
        }
        let now = store.clock.now()
        guard run.state == .open, now >= run.start, let live = try await live.run(run.id) else {
            return LiveEvents.Ranking(final: false, placings: [])
        }
        return LiveEvents.Ranking(final: false, placings: live.placings())
    }
}
