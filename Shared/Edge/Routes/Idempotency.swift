public import HTTP
import JSON
public import Postgres
public import Primitives
import Reactor
public import Security
import Telemetry

/// `Idempotency-Key`: a request that is sent again is answered as it was the first time and takes effect once. The
/// answer is stored in the transaction of the effect, encrypted, so that neither is there without the other, whatever
/// crashes.
///
/// Where all work is one transaction, two requests with one key at the same time wait for each other in the database
/// (`respond(to:of:_:)`). Where neighbours are called before, the first one claims the key, and the second one is told to
/// come back (`respond(to:of:claiming:)`): no transaction is open while others are waited for.
public struct Idempotency: Sendable {
    /// Answers are kept for so long.
    public static let life = Duration.seconds(24 * 3600)
    /// The table, for one of the service's migrations. Part 0 is the request itself; the others are parts of a long one that
    /// are done, and stay when it breaks off.
    public static let tableSQL = """
        create table idempotency (
            account uuid not null,
            key text not null,
            part integer not null default 0,
            request_hash bytea not null,
            answer bytea,
            holder uuid,
            held_until timestamptz,
            created_at timestamptz not null,
            constraint idempotency_one_answer primary key (account, key, part),
            constraint idempotency_key_length check (length(key) between 1 and 255),
            constraint idempotency_parts check (part = 0 or part > 0 and answer is not null)
        );
        create index idempotency_created_at on idempotency (created_at);
        comment on column idempotency.request_hash is
            'keyed hash of method, target and body: what was asked for cannot be guessed from it';
        comment on column idempotency.held_until is
            'by the clock of the database: whoever sends the request again may go on then, if there is no answer';
        """

    /// What `answer` is sealed with: `FieldLocation`.
    public static let location = "idempotency.answer"
    /// SQL of the bytes of a row in the `FieldLocation`.
    public static let rowSQL = "uuid_send(account) || convert_to(key, 'UTF8') || int4send(part)"
    /// Of the key that requests are hashed with.
    public static let indexColumn = "idempotency.request_hash"

    /// How long a key is claimed for beyond the request's time: what is cancelled then has a moment to end.
    private static let claimGrace = Duration.seconds(6)
    /// For requests without a time of their own.
    private static let claimDefault = Duration.seconds(60)

    private let database: Database
    private let cipher: FieldCipher
    private let index: BlindIndex
    private let clock: any WallClock

    /// `cipher` seals the answers that are kept, `index` hashes requests.
    public init(database: Database, cipher: FieldCipher, index: BlindIndex, clock: any WallClock) {
        self.database = database
        self.cipher = cipher
        self.index = index
        self.clock = clock
    }

    /// Answers `request` of `account` with what `body` makes in a transaction, or with what was answered before to the
    /// same request with the same key. Without a key it always runs `body`. What `body` throws is not stored; its
    /// answer must be in memory.
    ///
    /// Throws 422 when the key was used for another request, 409 while one that claimed the key is being answered, and what
    /// `Database.transaction` throws.
    public func respond(
        to request: HTTPRequest, of account: UUID,
        _ body: @escaping @Sendable (Transaction) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let claim = try claim(request, account) else {
            return try await database.transaction { try await body($0) }
        }
        return try await database.transaction { transaction in
            guard try await claim.begin(for: .zero, at: clock.now(), in: transaction) else {
                return try await claim.earlier(in: transaction)
            }
            let response = try await body(transaction)
            try await claim.keep(response, in: transaction)
            return response
        }
    }

    /// The same for what does more than one transaction. `body` gets the claim, `nil` without a key, and keeps its answer
    /// (`IdempotencyClaim.keep`) in the transaction of its effect, or its parts one by one. When it has kept no answer, the key
    /// is free again afterwards, and the same request goes on where parts were kept. A process that crashes leaves the key
    /// claimed until the request's time is over; what `body` did before its transaction is then done again.
    ///
    /// Throws 422 when the key was used for another request, 409 while the first one is being answered, and what `body`
    /// throws.
    public func respond(
        to request: HTTPRequest, of account: UUID,
        claiming body: @Sendable (IdempotencyClaim?) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let claim = try claim(request, account) else { return try await body(nil) }
        let time = request.deadline == .never ? Self.claimDefault : request.deadline.remaining
        guard try await claim.begin(for: time + Self.claimGrace, at: clock.now(), in: database) else {
            return try await claim.earlier(in: database)
        }
        let outcome: Result<HTTPResponse, any Error>
        do { outcome = .success(try await body(claim)) } catch { outcome = .failure(error) }
        await release(claim)
        return try outcome.get()
    }

    /// Also when the request was cancelled at its deadline. What fails here ends with the claim's time.
    private func release(_ claim: IdempotencyClaim) async {
        guard let loop = EventLoop.current else {
            try? await claim.release()
            return
        }
        await loop.task { await RequestScope.$current.withValue(nil) { try? await claim.release() } }.value
    }

    /// Deletes old answers, a bounded number at a time.
    public func clean() async throws(PostgresError) {
        var count = Self.batchMax
        while count == Self.batchMax, !Task.isCancelled {
            count = try await database.execute(
                """
                delete from idempotency where (account, key, part) in (select account, key, part from idempotency
                    where created_at < \(clock.now() - Self.life) limit \(Int64(Self.batchMax)))
                """)
        }
    }

    private static let batchMax = 1000

    /// For the service's part of an erasure: what the account has sent is forgotten. Returns the number of answers.
    public static func erase(_ account: UUID, in transaction: Transaction) async throws(PostgresError) -> Int {
        try await transaction.execute("delete from idempotency where account = \(account)")
    }

    private func claim(_ request: HTTPRequest, _ account: UUID) throws(Problem) -> IdempotencyClaim? {
        guard let key = try request.idempotencyKey() else { return nil }
        return IdempotencyClaim(
            account: account, key: key, hash: hash(of: request), database: database, cipher: cipher)
    }

    /// Method, target and body.
    private func hash(of request: HTTPRequest) -> [UInt8] {
        let target = "\(request.method) \(request.path)?\(request.head.query ?? "")\n"
        return index.index([Array(target.utf8), request.bytes])
    }
}
