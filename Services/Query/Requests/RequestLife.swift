import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Creates requests and applies their steps. The event of the feed and the messages to the people concerned are written
/// in the same transaction.
struct RequestLife: Sendable {
    let database: Database
    let store: RequestStore
    let outbox: NoticeOutbox
    let feed: ConsentFeed
    let watches: WatchFeed
    let events: Events
    let clock: any WallClock
    let log: Log
    let settings: RequestSettings
    let unreadable: UnreadableRows
    /// `nil` where nothing costs anything.
    var pricing: Pricing?
    /// Requests that could not be closed.
    let retries = Retries<UUID>()

    private static let dueMax = 100

    /// Inserts a request, and does `more` in the same transaction; `false`, without either, when one of this id exists.
    /// Errors: 409 `open-request-exists` (REQ-09).
    @discardableResult
    func create(
        _ request: ConsentRequest, notice: Notice,
        and more: @escaping @Sendable (Transaction) async throws -> Void = { _ in }
    ) async throws -> Bool {
        do throws(TransactionError) {
            let isNew = try await database.transaction { transaction in
                guard try await store.insert(request, in: transaction) else { return false }
                try await pricing?.created(request, in: transaction)
                try await feed.publish(request, in: transaction)
                try await outbox.add([notice], at: clock.now(), in: transaction)
                try await more(transaction)
                return true
            }
            outbox.wake()
            return isNew
        } catch {
            guard error.postgres?.constraint == RequestStore.openConstraint else { throw error }
            throw Problem(
                .conflict, code: "open-request-exists",
                detail: "a request to this individual is pending or accepted already: end it to ask for something else")
        }
    }

    /// Applies a step of the individual. Returns from a withdrawal when no delivery is being written any more: what was
    /// permitted before it ends with its lease, in whatever replica (REQ-10). Errors: 404 when the request is not to
    /// this individual, and those of `RequestStep`.
    func take(_ step: RequestStep, on id: UUID, as individual: UUID) async throws -> ConsentRequest {
        let changed = try await take(step, on: id) { $0.individualID == individual }
        if step == .withdraw { try await EventLoop.current?.sleep(for: await leaseLeft(on: id)) }
        return changed
    }

    /// How long a delivery that was permitted before now may still be written.
    private func leaseLeft(on id: UUID) async -> Duration {
        do throws(PostgresError) {
            let age = try await database.queryOne(
                """
                select extract(epoch from clock_timestamp() - max(permitted_at))::float8
                from (select permitted_at from access where request_id = \(id) order by last_at desc limit 1000) as latest
                """, as: Double?.self)
            guard let age = age ?? nil else { return .zero }
            return min(max(.zero, Lease.time - .seconds(age)), Lease.time)
        } catch {
            // The withdrawal stands; a whole lease is enough in any case.
            return Lease.time
        }
    }

    /// Ends the request for the requester. Errors: as above.
    func end(_ id: UUID, by requester: UUID) async throws -> ConsentRequest {
        try await take(.end, on: id) { $0.requesterID == requester && $0.runID == nil }
    }

    /// Closes requests that have lapsed or ended, by this machine's clock and by the database's, since a closed request stays
    /// so; returns their number. One that cannot be closed is logged and tried again with pauses of its own, and holds up no
    /// other.
    func closeDue() async throws -> Int {
        let due = try await store.due(
            at: try await database.certainTime(by: clock), resting: retries.resting, failing: retries.failing,
            limit: Self.dueMax, in: database)
        var count = 0
        for entry in due {
            retries.begin(entry.id)
            let isClosed = try await reporting("a request cannot be closed", of: entry.id, to: log) {
                try await close(entry)
            }
            guard let isClosed else { continue }
            retries.succeeded(entry.id)
            if isClosed { count += 1 }
        }
        return count
    }

    /// `false` for a request that somebody else has just decided: it stays as it is.
    private func close(_ entry: RequestStore.Due) async throws -> Bool {
        do {
            _ = try await take(entry.step, on: entry.id) { _ in true }
            return true
        } catch let error as TransactionError {
            if (error.underlying as? Problem)?.status == .conflict { return false }
            throw error.underlying
        }
    }

    private func take(
        _ step: RequestStep, on id: UUID, if isAllowed: @Sendable (ConsentRequest) -> Bool
    ) async throws -> ConsentRequest {
        // What has left stays with the third party.
        try await events.departures.save()
        let changed = try await database.transaction { transaction in
            guard let request = try await store.lock(id, in: transaction), isAllowed(request) else {
                throw Problem.notFound
            }
            let now = try await transaction.certainTime(by: clock)
            let next = try step.apply(to: request, at: now, settings: settings)
            try await store.update(next, in: transaction)
            try await feed.publish(next, in: transaction)
            try await events.log.add(outcomeOf: next, in: transaction)
            if request.runID == nil, request.state == .accepted || next.state == .accepted {
                try await watches.publish([request.individualID], at: now, in: transaction)
            }
            try await outbox.add(Notice.outcomes(of: next), at: now, in: transaction)
            try await pricing?.changed(next, at: now, in: transaction)
            return next
        }
        outbox.wake()
        events.changed(by: changed)
        return changed
    }
}
