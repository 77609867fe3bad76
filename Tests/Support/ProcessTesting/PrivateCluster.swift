import Glibc
public import Postgres
import Primitives
public import Reactor
import ReactorTesting
import Synchronization

/// A PostgreSQL of one test's own, to be killed, started again, copied and promoted.
public final class PrivateCluster: Sendable {
    /// What all of them run with: small, and without `fsync`, since what a killed process wrote stays with the kernel.
    private static let settings = [
        "fsync=off", "shared_buffers=16MB", "max_connections=60", "listen_addresses=", "max_wal_senders=8",
        "wal_receiver_status_interval=1s", "wal_retrieve_retry_interval=100ms", "wal_level=logical",
        "max_sync_workers_per_subscription=4", "max_logical_replication_workers=6", "max_worker_processes=12",
    ]

    public let address: DatabaseAddress
    private let directory: TestDirectory
    public let data: String
    private let sockets: String
    private let port: UInt16
    private let programs: String
    let user: String
    /// Its disk is so small; `nil`: as large as the machine's.
    private let diskMegabytes: Int?
    public let loops: EventLoopGroup
    private let server = Mutex<ChildProcess?>(nil)

    private init(_ loops: EventLoopGroup, _ directory: TestDirectory, diskMegabytes: Int? = nil) throws {
        self.loops = loops
        self.diskMegabytes = diskMegabytes
        self.directory = directory
        programs = try TestEnvironment.value("TRACKME_TEST_PG_BIN")
        user = try TestEnvironment.value("TRACKME_TEST_PG_USER")
        sockets = try TestEnvironment.value("TRACKME_TEST_PG_SOCKETS")
        port = try Ports.free()
        data = "\(try TestEnvironment.value("TRACKME_TEST_PG_DIRECTORY"))/\(port)-\(getpid())"
        address = DatabaseAddress(hosts: ["\(sockets):\(port)"], name: "postgres", user: "postgres", password: "none")
    }

    // MARK: Life

    /// Makes a cluster, which is not started, and removes it afterwards. Call on a loop of `loops`. With `diskMegabytes` its
    /// disk is its own, in memory.
    public static func with<R: Sendable>(
        _ loops: EventLoopGroup, diskMegabytes: Int? = nil, _ body: @Sendable (PrivateCluster) async throws -> R
    ) async throws -> R {
        try await with(loops, diskMegabytes: diskMegabytes, made: { try await $0.initialise() }, body)
    }

    /// Makes a cluster, which is not started, and a directory for the test's files, with one loop.
    public static func withDirectory<R: Sendable>(
        diskMegabytes: Int? = nil, _ body: @escaping @Sendable (PrivateCluster, TestDirectory) async throws -> R
    ) async throws -> R {
        try await EventLoopGroup.withLoops(1) { loops in
            try await TestDirectory.with { directory in
                try await with(loops, diskMegabytes: diskMegabytes, made: { try await $0.initialise() }) { cluster in
                    try await body(cluster, directory)
                }
            }
        }
    }

    /// Makes a standby, which is not started.
    public func withStandby<R: Sendable>(_ body: @Sendable (PrivateCluster) async throws -> R) async throws -> R {
        try await Self.with(loops, made: { try await $0.copy(self) }, body)
    }

    private static func with<R: Sendable>(
        _ loops: EventLoopGroup, diskMegabytes: Int? = nil, made make: @Sendable (PrivateCluster) async throws -> Void,
        _ body: @Sendable (PrivateCluster) async throws -> R
    ) async throws -> R {
        try await TestDirectory.with { directory in
            let cluster = try PrivateCluster(loops, directory, diskMegabytes: diskMegabytes)
            let outcome: Result<R, any Error>
            do {
                try await make(cluster)
                outcome = .success(try await body(cluster))
            } catch { outcome = .failure(error) }
            try await uncancelled { try await cluster.remove() }
            return try outcome.get()
        }
    }

    var log: String { directory.file("postgres.log") }

    private func initialise() async throws {
        if let diskMegabytes { try await mount(megabytes: diskMegabytes) }
        try await program(
            "initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
    }

    private func copy(_ primary: PrivateCluster) async throws {
        try await program(
            "pg_basebackup", "--host=\(sockets)", "--port=\(primary.port)", "--username=postgres",
            "--checkpoint=fast", "--write-recovery-conf", "--no-sync")
    }

    private func program(_ name: String, _ arguments: String...) async throws {
        do {
            try await ChildProcess.run(
                ["\(programs)/\(name)", "--pgdata=\(data)"] + arguments, output: log, user: user)
        } catch {
            throw ProcessFailure("\(error): \((try? directory.read("postgres.log").suffix(500)) ?? "")")
        }
    }

    private func remove() async throws {
        try await kill()
        if diskMegabytes != nil { try await ChildProcess.run(["umount", data], output: log) }
        try await ChildProcess.run(["rm", "-rf", data], output: log)
        for name in [".s.PGSQL.\(port)", ".s.PGSQL.\(port).lock"] { unlink("\(sockets)/\(name)") }
    }

    // MARK: Starting and killing

    /// Starts the server, with `more` settings (`NAME=VALUE`), and returns when it answers.
    public func start(_ more: String...) async throws { try await start(settings: more) }

    public func start(settings more: [String]) async throws {
        precondition(server.withLock { $0 } == nil, "it runs already")
        // Of a small disk the log of changes takes a small part.
        let small = diskMegabytes == nil ? [] : ["min_wal_size=32MB", "max_wal_size=48MB"]
        let settings = Self.settings + ["unix_socket_directories=\(sockets)", "port=\(port)"] + small + more
        let process = try await ChildProcess.start(
            ["\(programs)/postgres", "-D", data] + settings.flatMap { ["-c", $0] }, output: log, user: user,
            parentEndSignal: "QUIT")
        server.withLock { $0 = process }
        let asking = database()
        do {
            _ = try await asking.queryOne("select true", as: Bool.self, deadline: .after(.patience))
            await asking.close()
        } catch {
            await asking.close()
            throw ProcessFailure(
                "PostgreSQL does not answer (\(error)): \(try directory.read("postgres.log").suffix(500))")
        }
    }

    /// Ends the server and all that belongs to it with SIGKILL. No effect when it does not run.
    public func kill() async throws {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        guard let running else { return }
        // Stopped first, so that it starts nothing more and cannot tell its children.
        running.signal(SIGSTOP)
        let deadline = Deadline.after(.patience)
        while true {
            let children = ProcessTable.children(of: running.id)
            if children.isEmpty { break }
            for child in children { Glibc.kill(child, SIGKILL) }
            guard !deadline.hasPassed else { throw ProcessFailure("PostgreSQL's processes do not end") }
            try await EventLoop.current?.sleep(for: .milliseconds(1))
        }
        running.end()
    }

    /// Stops all that it does, so that it answers nothing and refuses nothing, or lets it go on.
    public func freeze(_ isFrozen: Bool) {
        guard let id = server.withLock({ $0?.id }) else { return }
        for process in [id] + ProcessTable.children(of: id) { Glibc.kill(process, isFrozen ? SIGSTOP : SIGCONT) }
    }

    /// Gives its processes a nice value, from -20 to 19. PostgreSQL gives each of them a session of its own, among which the kernel
    /// shares the processors evenly (sched(7), autogroup), so that the sessions are told, too. What begins later is not.
    public func setNice(_ value: Int32) {
        guard let id = server.withLock({ $0?.id }) else { return }
        for process in ProcessTable.children(of: id) {
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process), value)
            // It may have ended, and the kernel may have no such groups.
            try? TextFile.write("/proc/\(process)/autogroup", "\(value)")
        }
    }

    public func killAndStart() async throws {
        try await kill()
        try await start()
    }

    /// Makes a standby the primary; returns when it accepts writes.
    public func promote() async throws {
        let asking = database()
        let isPrimary = try await asking.queryOne("select pg_promote(true, 30)", as: Bool.self)
        await asking.close()
        guard isPrimary == true else { throw ProcessFailure("the standby was not promoted") }
    }

    // MARK: Using

    /// Runs a program to its end, which must be a good one. Its environment names PostgreSQL's programs, this server, and
    /// `more`; nothing else.
    public func run(
        _ program: String, _ arguments: [String] = [], _ more: [String: String] = [:]
    ) async throws {
        let variables = ["PATH": "\(programs):/usr/bin:/bin", "PGHOST": sockets, "PGPORT": "\(port)"]
            .merging(more) { $1 }
        let words = variables.map { "\($0)=\($1)" }
        do {
            try await ChildProcess.run(
                ["env", "-i"] + words + [program] + arguments, output: directory.file("program.log"))
        } catch {
            throw ProcessFailure("\(error): \((try? directory.read("program.log").suffix(500)) ?? "")")
        }
    }

    /// A database object on it, which connects again quickly. To be closed by the test.
    public func database(
        schema: String = "public", _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) -> Database {
        Self.database(address, schema: schema, loops, configure)
    }

    /// The same on several, of which the one that accepts writes is used.
    public static func database(
        _ address: DatabaseAddress, schema: String, _ loops: EventLoopGroup,
        _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) -> Database {
        var configuration = DatabaseConfiguration(
            connectionInfo: address.connectionInfo, searchPath: [schema], applicationName: "suite")
        configuration.reconnect = BackOff(base: .milliseconds(20), max: .milliseconds(200))
        configure(&configuration)
        return Database(configuration, loops: loops)
    }
}
