import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service
import Web

/// Routes with which individuals see how much is stored of them (ING-10), and when nothing was measured (ING-12).
struct TrackingRoutes: Sendable {
    /// Days of one answer.
    static let daysMax = 366
    /// Days unless others are asked for.
    static let daysDefault = 28

    let database: Database
    let samples: PersonSamples
    let contexts: PersonContexts
    let clock: any WallClock
    let quotaBytes: Int64

    private struct Parameters {
        var from: CalendarDate?
        var to: CalendarDate?
        var type: DataType?
        var hoursMin = 1
    }

    /// `shard` gives those of a person's.
    static func add(
        to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> TrackingRoutes
    ) {
        routes.onQuestion("/ingestion/v1/me/usage") { _, caller in
            let own = try await shard(caller.account)
            return try .json(
                try await Usage.read(of: caller.account, in: own.database, quotaBytes: own.quotaBytes))
        }
        routes.onQuestion("/ingestion/v1/me/tracking", query: .read) { request, caller in
            let parameters = try request.parameters { (query) throws(Problem) in
                Parameters(
                    from: query.value("from", as: CalendarDate.self), to: query.value("to", as: CalendarDate.self),
                    type: query.dataType("type"), hoursMin: query.number("min_hours", 1...24) ?? 1)
            }
            if let type = parameters.type, type.kind == .counter {
                throw Problem(parameter: "type", "\(type.name) is counted, and not measured all the time")
            }
            return try await shard(caller.account).tracking(
                parameters, of: caller.account, in: request.preferredLanguage)
        }
    }

    private func tracking(
        _ parameters: Parameters, of account: UUID, in language: Language?
    ) async throws -> HTTPResponse {
        let (person, now) = (try await contexts.context(of: account), clock.now())
        let last = parameters.to ?? person.zone.day(of: now)
        let first = parameters.from ?? last.adding(days: 1 - Self.daysDefault)
        guard first <= last else { throw Problem(parameter: "to", "write a day that is not before from") }
        guard last < first.adding(days: Self.daysMax) else {
            throw Problem(parameter: "from", "write a day that is at most \(Self.daysMax - 1) days before to")
        }
        let known = try await TrackingKnowledge.read(of: account, in: database)
        let summaries = try await samples.summaries(
            of: account, types: DataType.mask(DataType.allCases),
            days: CountedDay.blockDays(of: first...last), person)
        return try await samples.threads.computing {
            let hours = TrackedHours(first...last, in: person.zone, until: now)
            let gaps = TrackingGaps(summaries, hours: hours, known: known, hoursMin: parameters.hoursMin)
            return try .json(
                TrackingAnswer(
                    parameters.type.map { [gaps.of($0)] } ?? gaps.measured(), first...last,
                    in: language ?? person.language))
        }
    }
}
