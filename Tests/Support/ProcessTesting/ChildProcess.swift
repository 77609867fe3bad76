public import Glibc
import Reactor
public import ReactorTesting
import Synchronization

/// Another program, run by a test. The kernel ends it when the test's process ends, however that comes.
public final class ChildProcess: Sendable {
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    public let id: pid_t
    private let ending = Mutex<Ending?>(nil)

    private init(_ id: pid_t) {
        self.id = id
    }

    /// Starts a program in `/`; what it says is added to the file `output`. `user` is whom it runs as, when this
    /// process may choose; `parentEndSignal` is what it gets when this process ends; `environment` is added to that of
    /// this process.
    public static func start(
        _ words: [String], output: String, user: String? = nil, parentEndSignal: String = "KILL",
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        // The directory is one that every user may enter.
        var prefix = ["env", "--chdir=/"] + environment.map { "\($0)=\($1)" }
        prefix += ["setpriv", "--pdeathsig", parentEndSignal]
        if let user, geteuid() == 0 {
            guard let entry = getpwnam(user)?.pointee else { throw ProcessFailure("there is no user \(user)") }
            prefix += ["--reuid", "\(entry.pw_uid)", "--regid", "\(entry.pw_gid)", "--init-groups"]
        }
        let all = prefix + ["--"] + words
        // The signal comes when the thread that started it ends: that of a loop would be too early.
        return ChildProcess(try await BlockingPool.shared.run { spawn(all, output) }.get())
    }

    /// Runs a program to its end, which must be a good one.
    public static func run(
        _ words: [String], output: String, user: String? = nil, within time: Duration = .seconds(60)
    ) async throws {
        let process = try await start(words, output: output, user: user)
        let ending = try await process.waitForEnd(within: time)
        guard ending == .exited(0) else { throw ProcessFailure("\(words[0]): \(ending); see \(output)") }
    }

    /// Nothing once it has ended.
    public func signal(_ number: Int32) {
        ending.withLock { if reap(&$0) == nil { kill(id, number) } }
    }

    public var isRunning: Bool { ending.withLock { reap(&$0) == nil } }

    /// Waits for its end; one that does not come is brought about with SIGKILL, and is a failure. Call on a loop.
    public func waitForEnd(within time: Duration = .patience) async throws -> Ending {
        let deadline = Deadline.after(time)
        while !deadline.hasPassed {
            if let ending = ending.withLock({ reap(&$0) }) { return ending }
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
        end()
        throw ProcessFailure("process \(id) did not end within \(time)")
    }

    /// Ends it at once.
    public func end() {
        ending.withLock { ending in
            guard reap(&ending) == nil else { return }
            kill(id, SIGKILL)
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            ending = Self.meaning(of: status)
        }
    }

    private func reap(_ ending: inout Ending?) -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        ending = Self.meaning(of: status)
        return ending
    }

    /// As the macros of wait(2) read it.
    private static func meaning(of status: Int32) -> Ending {
        let number = status & 0x7f
        return number == 0 ? .exited((status >> 8) & 0xff) : .signalled(number)
    }

    private static func spawn(_ words: [String], _ output: String) -> Result<pid_t, ProcessFailure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of this process block signals, and it ignores SIGPIPE; the child shall not inherit that.
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        let code = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else {
            return .failure(ProcessFailure("starting \(words[0]): \(String(cString: strerror(code)))"))
        }
        return .success(id)
    }
}
