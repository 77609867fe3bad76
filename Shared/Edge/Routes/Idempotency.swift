public import HTTP
import JSON
public import Postgres
public import Primitives
public import Security

/// `Idempotency-Key`: a request that is sent again is answered as it was the first time and takes effect once. The
/// answer is stored in the transaction of the effect, encrypted, so that neither is there without the other, whatever
/// crashes; two requests with one key at the same time wait for each other in the database.
public struct Idempotency: Sendable {
    /// Answers are kept for so long.
    public static let life = Duration.seconds(24 * 3600)
    /// The table, for one of the service's migrations.
    public static let tableSQL = """
        create table idempotency (
            account uuid not null,
            key text not null,
            request_hash bytea not null,
            answer bytea,
            created_at timestamptz not null,
            constraint idempotency_one_answer primary key (account, key),
            constraint idempotency_key_length check (length(key) between 1 and 255)
        );
        create index idempotency_created_at on idempotency (created_at);
        """

    private static let column = "idempotency.answer"

    private let database: Database
    private let cipher: FieldCipher
    private let clock: any WallClock

    /// `cipher` seals the answers that are kept.
    public init(database: Database, cipher: FieldCipher, clock: any WallClock) {
        self.database = database
        self.cipher = cipher
        self.clock = clock
    }

    /// What is stored of an answer.
    private struct Answer: Codable {
        let status: UInt16
        let type: String?
        let fields: [[String]]
        let body: String
    }

    /// Answers `request` of `account` with what `body` makes in a transaction, or with what was answered before to the
    /// same request with the same key. Without a key it always runs `body`. What `body` throws is not stored; its
    /// answer must be in memory.
    ///
    /// Throws 422 when the key was used for another request, and what `Database.transaction` throws.
    public func respond(
        to request: HTTPRequest, of account: UUID,
        _ body: @escaping @Sendable (Transaction) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let key = try request.idempotencyKey() else {
            return try await database.transaction { try await body($0) }
        }
        let hash = Self.hash(of: request)
        return try await database.transaction { transaction in
            let isNew = try await transaction.execute(
                """
                insert into idempotency (account, key, request_hash, created_at)
                values (\(account), \(key), \(hash), \(clock.now())) on conflict do nothing
                """)
            guard isNew == 1 else { return try await earlier(transaction, account, key, hash) }
            let response = try await body(transaction)
            let sealed = cipher.seal(try Self.encode(response), at: location(account, key))
            try await transaction.execute(
                "update idempotency set answer = \(sealed) where account = \(account) and key = \(key)")
            return response
        }
    }

    /// Deletes old answers, a bounded number at a time.
    public func clean() async throws(PostgresError) {
        var count = Self.batchMax
        while count == Self.batchMax, !Task.isCancelled {
            count = try await database.execute(
                """
                delete from idempotency where (account, key) in (select account, key from idempotency
                    where created_at < \(clock.now() - Self.life) limit \(Int64(Self.batchMax)))
                """)
        }
    }

    private static let batchMax = 1000

    private func earlier(
        _ transaction: Transaction, _ account: UUID, _ key: String, _ hash: [UInt8]
    ) async throws -> HTTPResponse {
        let found = try await transaction.queryOne(
            "select request_hash, answer from idempotency where account = \(account) and key = \(key)",
            as: [UInt8].self, [UInt8]?.self)
        // Deleted meanwhile: the client's next attempt is a new one.
        guard let (known, sealed) = found, let sealed else {
            throw Problem(
                .conflict, code: "idempotency-key-in-use", detail: "a request with this key is being answered",
                retryAfter: .seconds(1))
        }
        guard known == hash else {
            throw Problem(
                .unprocessableContent, code: "idempotency-key-reused",
                detail: "the key was used for another request before")
        }
        return try Self.decode(try cipher.open(sealed, at: location(account, key)))
    }

    private func location(_ account: UUID, _ key: String) -> FieldLocation {
        FieldLocation(Self.column, row: account.bytes + Array(key.utf8))
    }

    /// Method, target and body.
    private static func hash(of request: HTTPRequest) -> [UInt8] {
        var digest = Digest(.sha256)
        let target = "\(request.method) \(request.path)?\(request.head.query ?? "")\n"
        digest.update(Array(target.utf8))
        digest.update(request.bytes)
        return digest.finish()
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
