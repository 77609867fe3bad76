import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service

/// `/deletions`: people delete spans of their samples, and see what became of it. Deleting is the worker's (`DeletionWorker`).
struct DeletionRoutes: Sendable {
    private static let path = "/ingestion/v1/deletions"

    let database: Database
    let keys: SubjectKeys
    let clock: any WallClock
    /// Raised when a deletion is asked for.
    let asked: EventCounter

    /// The body of `POST /deletions`.
    private struct Request: Decodable {
        /// `nil`: all.
        let types: [DataType]?
        let from: Timestamp
        let to: Timestamp
    }

    /// A deletion as its owner sees it.
    struct Status: Encodable, Sendable {
        let id: UUID
        let state: String
        let createdAt: Timestamp
        let types: [DataType]
        let from: Timestamp
        let to: Timestamp
        /// Days of one data type that were deleted or have become less.
        let days: Int

        init(_ deletion: SpanDeletion) {
            id = deletion.id
            state = deletion.isDone ? "done" : "waiting"
            createdAt = deletion.createdAt
            types = DataType.types(in: deletion.content.types)
            (from, to) = (deletion.content.from, deletion.content.to)
            days = deletion.content.days
        }
    }

    private struct List: Encodable {
        let deletions: [Status]
    }

    /// `shard` gives those of a person's.
    static func add(
        to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> DeletionRoutes
    ) {
        routes.on(.post, path, access: .account(.individual)) { request, caller in
            try await shard(caller.account).create(request, of: caller.account)
        }
        routes.on(.get, path, access: .account(.individual)) { _, caller in
            try await shard(caller.account).list(of: caller.account)
        }
        routes.on(.get, "\(path)/:deletion", access: .account(.individual)) { request, caller in
            let id = try request.parameter("deletion", as: UUID.self)
            return try await shard(caller.account).deletion(id, of: caller.account)
        }
    }

    private func deletion(_ id: UUID, of account: UUID) async throws -> HTTPResponse {
        guard let key = try await keys.existingKeys(of: [account])[account],
            let row = try await database.queryOne(DeletionStore.deletion(id, of: account), as: SpanDeletion.Row.self)
        else { throw Problem.notFound }
        return try Self.answer(try row.opened(key))
    }

    private static func answer(_ deletion: SpanDeletion, status: HTTPStatus = .ok) throws(Problem) -> HTTPResponse {
        try HTTPResponse.json(Status(deletion), status: status).uncached
    }

    /// What came of a wish.
    private enum Outcome: Sendable {
        case added(SpanDeletion.Row)
        /// There is no such person.
        case unknown
        case tooMany
        case tooManySpans
    }

    private static let tooMany = Problem(
        .tooManyRequests, code: "too-many-deletions",
        detail: "\(DeletionStore.unfinishedMax) of your deletions are not done: wait for them", retryAfter: .seconds(10)
    )
    private static let tooManySpans = Problem(
        .conflict, code: "too-many-spans",
        detail: "you have deleted \(DeletedSpans.countMax) spans that do not touch: delete a longer one that joins some"
    )

    private func create(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let wanted: Request = try request.json()
        guard wanted.from < wanted.to else { throw Self.invalid("/to", "write a time after from") }
        if let types = wanted.types, !(1...DataType.allCases.count).contains(types.count) {
            throw Self.invalid("/types", "name 1 to \(DataType.allCases.count) data types, or leave types out for all")
        }
        guard let key = try await keys.existingKeys(of: [account])[account] else { throw HealthRoutes.noData }
        let (id, now) = (UUID.timeOrdered(at: clock.now()), clock.now())
        let content = SpanDeletion.Content(
            types: DataType.mask(wanted.types ?? DataType.allCases), from: wanted.from, to: wanted.to)
        let sealed = try content.sealed(with: key, at: SpanDeletion.location(id, of: account))
        let outcome = try await database.transaction { transaction in
            let answers = try await transaction.runBatch([
                ArrivalStore.lock([account]), ArrivalStore.isKnown(account), DeletedSpans.select(of: account),
            ])
            guard try answers[1].decodeOne(as: Bool.self) == true else { return Outcome.unknown }
            var spans = try DeletedSpans(opening: try answers[2].decodeOne(as: [UInt8].self), with: key, of: account)
            spans.add(content, askedAt: now)
            guard spans.count <= DeletedSpans.countMax else { return .tooManySpans }
            let added = try await transaction.run(DeletionStore.add(id, of: account, content: sealed, at: now))
            guard let row = try added.onlyRow() else { return .tooMany }
            try await transaction.execute(DeletedSpans.keep(spans.sealed(with: key, of: account), of: account))
            return .added(try SpanDeletion.Row(row: row))
        }
        let row: SpanDeletion.Row
        switch outcome {
        case .added(let added): row = added
        case .unknown: throw HealthRoutes.noData
        case .tooMany: throw Self.tooMany
        case .tooManySpans: throw Self.tooManySpans
        }
        asked.raise()
        var response = try Self.answer(try row.opened(key), status: .accepted)
        response.fields["Location"] = "\(Self.path)/\(id)"
        return response
    }

    private func list(of account: UUID) async throws -> HTTPResponse {
        let rows = try await database.query(DeletionStore.deletions(of: account), as: SpanDeletion.Row.self)
        var deletions: [Status] = []
        if !rows.isEmpty, let key = try await keys.existingKeys(of: [account])[account] {
            deletions = try rows.map { try $0.opened(key) }.filter { $0.content.isPause != true }.map(Status.init)
        }
        return try .json(List(deletions: deletions))
    }

    private static func invalid(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: "invalid-request", detail: detail,
            errors: [.init(pointer: pointer, detail: detail)])
    }
}
