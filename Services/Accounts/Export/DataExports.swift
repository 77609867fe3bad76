import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Service

/// What people ask for when they want everything that is held about them (ACC-13): one archive, made as long work, kept sealed
/// for a week, and handed to whoever is logged in and knows the password.
struct DataExports: Sendable {
    static let life = Duration.seconds(7 * 86_400)
    /// Least time between two requests of an account.
    static let pause = Duration.seconds(3600)
    /// After this, one that could not be made is given up.
    static let patience = Duration.seconds(2 * 86_400)
    static let listedMax = 20

    enum State: String, Codable, Sendable {
        case waiting, making, ready, failed
    }

    struct Listed: Encodable, Sendable {
        let exportID: UUID
        let state: State
        let requestedAt: Timestamp
        /// 0 to 1, while it is made.
        let progress: Double
        let finishedAt: Timestamp?
        /// Until when it can be fetched.
        let expiresAt: Timestamp?
        let bytes: Int64?
    }

    struct Form: Decodable, Sendable { let password: String }

    let store: Store
    let proof: PasswordProof
    /// Raised when an export is asked for.
    let arrived = EventCounter()

    /// Throws `export-under-way` and `too-many-tries`.
    func request(for account: UUID) async throws -> Listed {
        let now = store.now()
        let id = UUID.timeOrdered(at: now)
        try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            let last = try await transaction.queryOne(
                """
                select state, requested_at from export
                where account = \(account) order by requested_at desc limit 1
                """, as: String.self, Timestamp.self)
            if let (state, time) = last {
                guard state == State.ready.rawValue || state == State.failed.rawValue else {
                    throw Refusal(.conflict, "export-under-way", "Your data are being put together; please wait.")
                }
                guard time <= now - Self.pause || time > now else {
                    throw Refusal(
                        .tooManyTries, "too-many-tries", "Your data were put together within the last hour.",
                        retryAfter: Self.pause - (now - time))
                }
            }
            try await transaction.execute(
                "insert into export (id, account, requested_at, due_at) values (\(id), \(account), \(now), \(now))")
        }
        arrived.raise()
        return try await find(id, of: account)
    }

    func list(of account: UUID) async throws -> [Listed] {
        try await rows("account = \(account) order by requested_at desc limit \(Self.listedMax)")
    }

    private func find(_ id: UUID, of account: UUID) async throws -> Listed {
        guard let found = try await rows("id = \(id) and account = \(account)").first else { throw Refusal.notFound }
        return found
    }

    private func rows(_ condition: SQL) async throws -> [Listed] {
        try await store.database.query(
            """
            select id, state, requested_at, progress, finished_at, expires_at, bytes from export
            where \(sql: condition)
            """,
            as: UUID.self, String.self, Timestamp.self, Double.self, Timestamp?.self, Timestamp?.self, Int64?.self
        ).map {
            guard let state = State(rawValue: $0.1) else { throw StoredValueError(column: "export.state") }
            return Listed(
                exportID: $0.0, state: state, requestedAt: $0.2, progress: $0.3, finishedAt: $0.4, expiresAt: $0.5,
                bytes: $0.6)
        }
    }

    /// Deletes an export, also one that is being made.
    func remove(_ id: UUID, of account: UUID) async throws {
        let count = try await store.database.execute("delete from export where id = \(id) and account = \(account)")
        guard count == 1 else { throw Refusal.notFound }
    }

    /// The archive, piece by piece. Throws `wrong-password`, `too-many-tries`, `not-found`, and `export-not-ready`.
    func archive(
        _ id: UUID, _ form: Form, of account: UUID, from address: SocketAddress?
    ) async throws -> HTTPResponse {
        _ = try await proof.check(form.password, of: account, from: address)
        let found = try await find(id, of: account)
        guard found.state == .ready, let bytes = found.bytes, let expiresAt = found.expiresAt, expiresAt > store.now()
        else { throw Refusal(.conflict, "export-not-ready", "There is no archive yet, or no longer.") }
        let (store, key) = (store, try await store.key(of: account))
        var response = HTTPResponse.stream(MediaType("application/zip"), count: Int(bytes)) { writer in
            var number: Int32 = 0
            while true {
                let piece = try await store.database.queryOne(
                    "select id, content from export_piece where export = \(id) and number = \(number)",
                    as: UUID.self, [UInt8].self)
                // Erased meanwhile: what lacks to the promised length tells the reader.
                guard let (row, sealed) = piece else { return }
                try await writer.write(try store.columns.openBytes(sealed, .exportPiece, row: row, with: key))
                number += 1
            }
        }
        response.fields["Content-Disposition"] = "attachment; filename=\"trackme.zip\""
        return response.uncached
    }

    /// Those that are over.
    static func forget(at now: Timestamp) -> SQL {
        "delete from export where coalesce(expires_at, requested_at + interval '9 days') < \(now)"
    }
}
