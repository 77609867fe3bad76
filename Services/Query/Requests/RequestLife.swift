import Contracts
import Domain
import HTTP
import Postgres
import Primitives

/// Makes requests and takes them through their states. With each change go, in the same transaction, the event of the feed and
/// the messages to the people concerned.
struct RequestLife: Sendable {
    let database: Database
    let store: RequestStore
    let outbox: NoticeOutbox
    let feed: ConsentFeed
    let watch: ConsentWatch
    let clock: any WallClock
    let settings: RequestSettings

    private static let dueMax = 100

    /// `false` when a request of this id was made before. Errors: 409 `open-request-exists` (REQ-09).
    @discardableResult
    func create(_ request: ConsentRequest, notice: Notice) async throws -> Bool {
        do throws(TransactionError) {
            let isNew = try await database.transaction { transaction in
                guard try await store.insert(request, in: transaction) else { return false }
                try await feed.publish(request, in: transaction)
                try await outbox.add([notice], at: clock.now(), in: transaction)
                return true
            }
            outbox.wake()
            return isNew
        } catch {
            guard error.postgres?.constraint == RequestStore.openConstraint else { throw error }
            throw Problem(
                .conflict, code: "open-request-exists",
                detail: "a request to this individual is pending or accepted already")
        }
    }

    /// The individual's step. Errors: 404 when the request is not to this individual, and those of `RequestStep`.
    func take(_ step: RequestStep, on id: UUID, as individual: UUID) async throws -> ConsentRequest {
        try await take(step, on: id) { $0.individualID == individual }
    }

    /// The requester's end of it. Errors: as above.
    func end(_ id: UUID, by requester: UUID) async throws -> ConsentRequest {
        try await take(.end, on: id) { $0.requesterID == requester && $0.runID == nil }
    }

    /// Closes what has lapsed or run out; the number of requests closed. What somebody else has just decided is left alone.
    func closeDue() async throws -> Int {
        let due = try await store.due(at: clock.now(), limit: Self.dueMax, in: database)
        var count = 0
        for entry in due {
            do {
                _ = try await take(entry.step, on: entry.id) { _ in true }
                count += 1
            } catch let error as TransactionError where (error.underlying as? Problem)?.status == .conflict { continue }
        }
        return count
    }

    private func take(
        _ step: RequestStep, on id: UUID, if isAllowed: @Sendable (ConsentRequest) -> Bool
    ) async throws -> ConsentRequest {
        let changed = try await database.transaction { transaction in
            guard let request = try await store.lock(id, in: transaction), isAllowed(request) else {
                throw Problem.notFound
            }
            let now = clock.now()
            let next = try step.apply(to: request, at: now, onceAccess: settings.onceAccess)
            try await store.update(next, in: transaction)
            try await feed.publish(next, in: transaction)
            try await outbox.add(Notice.outcomes(of: next), at: now, in: transaction)
            return next
        }
        watch.changed(id)
        outbox.wake()
        return changed
    }
}
