public import HTTP
import JSON
public import Postgres
import Primitives
import Security

/// A key that a request has claimed until it is answered. Others with the same key are told to come back.
public struct IdempotencyClaim: Sendable {
    let account: UUID
    let key: String
    let hash: [UInt8]
    let database: Database
    let cipher: FieldCipher
    /// This request among all that were sent with the key: what it keeps is refused once another one has gone on.
    let holder = UUID.random()

    /// Keeps the request's answer, which must be in memory. Throws 409 when another request has gone on with the key meanwhile,
    /// which takes the effect back with it.
    public func keep(_ response: HTTPResponse, in transaction: Transaction) async throws {
        let sealed = cipher.seal(try Self.encode(response), at: location(0))
        let count = try await transaction.execute(
            """
            update idempotency set answer = \(sealed), held_until = null
            where account = \(account) and key = \(key) and part = 0 and holder = \(holder) and answer is null
            """)
        guard count == 1 else { throw Self.inUse }
    }

    /// Keeps what came of a part, counted from 1, of a request whose answer is made of its parts: in the transaction of the
    /// part's effect. Errors: as above.
    public func keep(part: Int, _ content: [UInt8], in session: some SQLSession) async throws {
        let sealed = cipher.seal(content, at: location(part))
        let count = try await session.execute(
            """
            insert into idempotency (account, key, part, request_hash, answer, created_at)
            select account, key, \(Int32(part)), request_hash, \(sealed), created_at from idempotency
            where account = \(account) and key = \(key) and part = 0 and holder = \(holder)
            for share
            """)
        guard count == 1 else { throw Self.inUse }
    }

    /// The parts that are done, by their numbers: the request was sent before, and broke off.
    public func parts() async throws -> [Int: [UInt8]] {
        let rows = try await database.query(
            "select part, answer from idempotency where account = \(account) and key = \(key) and part > 0",
            as: Int32.self, [UInt8].self)
        var parts: [Int: [UInt8]] = [:]
        for (part, sealed) in rows { parts[Int(part)] = try cipher.open(sealed, at: location(Int(part))) }
        return parts
    }

    // MARK: For Idempotency

    /// What is stored of an answer.
    private struct Answer: Codable {
        let status: UInt16
        let type: String?
        let fields: [[String]]
        let body: String
    }

    private static let inUse = Problem(
        .conflict, code: "idempotency-key-in-use", detail: "a request with this key is being answered",
        retryAfter: .seconds(1))

    /// `false` when the key is taken: by another request, one that was answered, or one that is being answered.
    func begin(for time: Duration, at now: Timestamp, in session: some SQLSession) async throws(PostgresError) -> Bool {
        let seconds = Double(time.components.seconds)
        return try await session.execute(
            """
            insert into idempotency (account, key, request_hash, holder, held_until, created_at)
            values (\(account), \(key), \(hash), \(holder), now() + \(seconds)::float8 * interval '1 second', \(now))
            on conflict (account, key, part) do update
              set holder = excluded.holder, held_until = excluded.held_until, created_at = excluded.created_at
              where idempotency.answer is null and idempotency.held_until <= now()
                and idempotency.request_hash = excluded.request_hash
            """) == 1
    }

    /// What was answered before. Errors: 422 when that was another request, 409 when it is not answered yet.
    func earlier(in session: some SQLSession) async throws -> HTTPResponse {
        let found = try await session.queryOne(
            "select request_hash, answer from idempotency where account = \(account) and key = \(key) and part = 0",
            as: [UInt8].self, [UInt8]?.self)
        // Free again meanwhile: the client's next attempt is a new one.
        guard let (known, sealed) = found else { throw Self.inUse }
        guard known == hash else {
            throw Problem(
                .unprocessableContent, code: "idempotency-key-reused",
                detail: "the key was used for another request before")
        }
        guard let sealed else { throw Self.inUse }
        return try Self.decode(try cipher.open(sealed, at: location(0)))
    }

    /// Frees the key unless there is an answer. With parts it stays this request's, which may be sent again at once.
    func release() async throws(PostgresError) {
        let count = try await database.execute(
            """
            delete from idempotency i
            where account = \(account) and key = \(key) and part = 0 and holder = \(holder) and answer is null
              and not exists (select from idempotency p where p.account = i.account and p.key = i.key and p.part > 0)
            """)
        guard count == 0 else { return }
        try await database.execute(
            """
            update idempotency set held_until = now()
            where account = \(account) and key = \(key) and part = 0 and holder = \(holder) and answer is null
            """)
    }

    private func location(_ part: Int) -> FieldLocation {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: part >> (24 - 8 * $0)) }
        return FieldLocation(Idempotency.location, row: account.bytes + Array(key.utf8) + number)
    }

    private static func encode(_ response: HTTPResponse) throws -> [UInt8] {
        let body: [UInt8]
        switch response.body {
        case .empty: body = []
        case .bytes(let bytes): body = bytes
        case .stream, .live: preconditionFailure("an answer under an idempotency key is in memory")
        }
        return try JSONEncoder().encode(
            Answer(
                status: response.status.rawValue, type: response.contentType?.description,
                fields: response.fields.entries.map { [$0.name, $0.value] }, body: Base64.standard.encode(body)))
    }

    private static func decode(_ bytes: [UInt8]) throws -> HTTPResponse {
        let answer = try JSONDecoder().decode(Answer.self, from: bytes)
        let body = Base64.standard.decode(answer.body) ?? []
        var response = HTTPResponse(
            HTTPStatus(rawValue: answer.status), contentType: answer.type.map { MediaType($0) },
            body: body.isEmpty ? .empty : .bytes(body))
        for field in answer.fields where field.count == 2 { response.fields.add(field[0], field[1]) }
        response.fields["Idempotency-Replayed"] = "true"
        return response
    }
}
