import Contracts
import Postgres
import Primitives
import ProcessTesting
import Reactor

/// A point in the work of services at which they wait, before a statement, until a test lets them go on.
struct HeldStatement: Sendable {
    private static let lock = "74112"

    private let suite: RunningSuite

    /// Runs `body` while statements like `event` ("update of items") on a table of these services wait; they go on afterwards.
    /// Those that concern no row wait, too, unless only `rows` do.
    static func with<R: Sendable>(
        _ event: String, on table: String, of services: [ServiceName], onlyOf rows: Bool = false, _ suite: RunningSuite,
        _ body: @Sendable (HeldStatement) async throws -> R
    ) async throws -> R {
        let database = suite.cluster.database()
        let outcome: Result<R, any Error>
        do {
            outcome = .success(
                try await database.withConnection { connection in
                    try await connection.execute("select pg_advisory_lock(\(raw: lock))")
                    try await connection.execute(function)
                    for service in services {
                        try await connection.execute(
                            """
                            create trigger held before \(raw: event) on \(identifier: service.rawValue).\(identifier: table)
                            for each \(raw: rows ? "row" : "statement") execute function public.held()
                            """)
                    }
                    let result = try await body(HeldStatement(suite: suite))
                    try await connection.execute("select pg_advisory_unlock(\(raw: lock))")
                    for service in services {
                        try await connection.execute(
                            "drop trigger held on \(identifier: service.rawValue).\(identifier: table)")
                    }
                    return result
                })
        } catch { outcome = .failure(error) }
        // With its session an error's lock goes, too.
        await database.close()
        return try outcome.get()
    }

    /// Those who wait do not wait for each other.
    private static let function: SQL = """
        create or replace function public.held() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(\(raw: lock)); return new; end'
        """

    /// Waits until so many sessions wait here; their processes.
    @discardableResult
    func reached(by count: Int) async throws -> [Int32] {
        var waiting: [Int32] = []
        let database = suite.cluster.database()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await eventually("\(count) sessions wait at the chosen point") {
                    waiting = try await database.query(
                        """
                        select pid from pg_locks
                        where locktype = 'advisory' and objid = \(raw: Self.lock) and not granted
                        """, as: Int32.self)
                    return waiting.count >= count
                })
        } catch { outcome = .failure(error) }
        await database.close()
        try outcome.get()
        return waiting
    }
}

extension RunningSuite {
    /// Waits until PostgreSQL has given up the work of services that were killed in the middle of it.
    func areGone(_ processes: [Int32]) async throws {
        try await eventually("the killed services' sessions are over") {
            try await stored(
                .accounts, "select not exists (select from pg_stat_activity where pid = any(\(processes)))")
        }
    }
}
