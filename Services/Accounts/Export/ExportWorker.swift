import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Makes the archives that were asked for, one at a time in each replica. Each is made from the beginning; what fails because
/// a service is away is tried again with growing pauses.
struct ExportWorker: Sendable {
    static let interval = Duration.seconds(5)
    /// How long an export is left to the replica that makes it, from each page on.
    static let claim = Duration.seconds(120)
    private static let pageTime = Duration.seconds(60)
    private static let pieceBytes = 256 << 10
    private static let pauseMax = Duration.seconds(600)
    /// An archive that is longer is not made.
    private static let bytesMax = 2 << 30

    let exports: DataExports
    let own: OwnExport
    let peers: [ServiceName: any RPCCaller]
    let log: Log

    private var store: Store { exports.store }

    /// The services in the order of the archive.
    private static let services: [ServiceName] = [.ingestion, .query, .dispatcher, .track4run]

    var task: BackgroundTask {
        BackgroundTask("exports") {
            while !Task.isCancelled {
                let seen = exports.arrived.value
                while try await makeNext() { try Task.checkCancellation() }
                _ = await exports.arrived.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// Makes one that is due; whether there was one.
    func makeNext() async throws -> Bool {
        let now = store.now()
        let due = try await store.database.queryOne(
            """
            update export set state = 'making', attempts = attempts + 1, due_at = \(now + Self.claim), progress = 0
            where id = (
              select id from export
              where state in ('waiting', 'making') and (due_at <= \(now) or due_at > \(now + Self.claim + Self.pauseMax))
              order by due_at limit 1 for update skip locked)
            returning id, account, attempts, requested_at
            """, as: UUID.self, UUID.self, Int32.self, Timestamp.self)
        guard let (id, account, attempts, requestedAt) = due else { return false }
        do {
            try await make(id, of: account, attempt: attempts)
        } catch is Gone {
            // Erased, deleted, or taken over by another replica.
        } catch let error where !(error is PostgresError) && !(error is CancellationError) {
            let isOver = requestedAt < now - DataExports.patience
            log.warning(
                "an export could not be made",
                ["export": .string(id.description), "attempt": .integer(Int64(attempts)), "error": Log.text(of: error)])
            let pause = min(Self.pauseMax, .seconds(Int64(1) << Int64(min(max(0, attempts - 1), 10))))
            try await settle(id, of: account, isOver ? .failed : .waiting, dueAt: store.now() + pause)
        }
        return true
    }

    /// The row is no more, or somebody else's.
    private struct Gone: Error {}

    private func make(_ id: UUID, of account: UUID, attempt: Int32) async throws {
        try await store.database.execute("delete from export_piece where export = \(id)")
        let kind = try await store.database.queryOne("select kind from account where id = \(account)", as: String.self)
        guard let kind else { throw Gone() }
        let params = Exports.Params(accountID: account, kind: try AccountKind.stored(kind))
        let key = try await store.key(of: account)
        var archive = ZIPArchive(at: store.now())
        var pieces: Int32 = 0
        try await own.write(account, params.kind) { piece in
            try archive.add(piece)
            try await keep(&archive, &pieces, of: id, attempt, key, progress: 0)
        }
        for (index, service) in Self.services.enumerated() {
            guard let caller = peers[service] else { continue }
            var page = try await Self.page(of: service, params, from: caller)
            while true {
                // The next one is made while this one is stored.
                var further = params
                further.after = page.next
                async let next = further.after == nil ? nil : Self.page(of: service, further, from: caller)
                for piece in page.pieces { try archive.add(piece) }
                let progress = Double(index + 1) / Double(Self.services.count + 1)
                try await keep(&archive, &pieces, of: id, attempt, key, progress: progress)
                guard archive.size <= Self.bytesMax else { throw ZIPArchive.TooLong() }
                guard let following = try await next else { break }
                page = following
            }
        }
        try archive.finish()
        try await keep(&archive, &pieces, of: id, attempt, key, progress: 1, all: true)
        try await finish(id, of: account, attempt, bytes: Int64(archive.size))
    }

    private static func page(
        of service: ServiceName, _ params: Exports.Params, from caller: any RPCCaller
    ) async throws(RPCError) -> Exports.Page {
        let deadline = Deadline.after(pageTime)
        switch service {
        case .ingestion: return try await caller.call(Ingestion.Export.self, params, deadline: deadline)
        case .query: return try await caller.call(Query.Export.self, params, deadline: deadline)
        case .dispatcher: return try await caller.call(Dispatcher.Export.self, params, deadline: deadline)
        case .track4run: return try await caller.call(Track4Run.Export.self, params, deadline: deadline)
        case .accounts: return Exports.Page(pieces: [], next: nil)
        }
    }

    /// Stores what the archive has grown by, once it is worth a row, and holds the export for longer.
    private func keep(
        _ archive: inout ZIPArchive, _ pieces: inout Int32, of id: UUID, _ attempt: Int32, _ key: SubjectKey,
        progress: Double, all: Bool = false
    ) async throws {
        guard archive.waiting >= Self.pieceBytes || all && archive.waiting > 0 else { return }
        let (row, number) = (UUID.random(), pieces)
        let sealed = store.columns.seal(bytes: archive.take(), .exportPiece, row: row, with: key)
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                update export set due_at = \(store.now() + Self.claim), progress = \(progress)
                where id = \(id) and state = 'making' and attempts = \(attempt)
                """)
            guard count == 1 else { throw Gone() }
            try await transaction.execute(
                "insert into export_piece (id, export, number, content) values (\(row), \(id), \(number), \(sealed))")
        }
        pieces += 1
    }

    /// The archives before this one go.
    private func finish(_ id: UUID, of account: UUID, _ attempt: Int32, bytes: Int64) async throws {
        let now = store.now()
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                update export set state = 'ready', progress = 1, finished_at = \(now), expires_at = \(now + DataExports.life),
                  bytes = \(bytes)
                where id = \(id) and state = 'making' and attempts = \(attempt)
                """)
            guard count == 1 else { throw Gone() }
            try await transaction.execute("delete from export where account = \(account) and id <> \(id)")
            try await Inbox.put(
                MessageCatalogue.exportReady, ["until": (now + DataExports.life).description],
                id: .timeOrdered(at: now), to: account, email: true, store: store, in: transaction)
        }
    }

    private func settle(
        _ id: UUID, of account: UUID, _ state: DataExports.State, dueAt: Timestamp
    ) async throws {
        try await store.transaction { transaction in
            let count = try await transaction.execute(
                """
                update export set state = \(state.rawValue), progress = 0, due_at = \(dueAt),
                  finished_at = case when \(state == .failed) then \(store.now())::timestamptz end
                where id = \(id)
                """)
            try await transaction.execute("delete from export_piece where export = \(id)")
            guard count == 1, state == .failed else { return }
            try await Inbox.put(
                MessageCatalogue.exportFailed, [:], id: .timeOrdered(at: store.now()), to: account, email: true,
                store: store, in: transaction)
        }
    }
}
