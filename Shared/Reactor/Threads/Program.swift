import CLinux
import Glibc

/// A program that is run with some input, and judged by how it ends.
public struct Program: Sendable {
    public struct Outcome: Sendable, Equatable {
        /// `nil` when a signal has ended it.
        public let exitStatus: Int32?
        /// What it wrote to its error output, cut off.
        public let complaint: String

        public init(exitStatus: Int32?, complaint: String) {
            self.exitStatus = exitStatus
            self.complaint = complaint
        }
    }

    public enum Failure: Error, Equatable {
        case system(String, Int32)
        /// It was killed when its time was over.
        case timedOut
    }

    /// Of a complaint.
    public static let complaintBytesMax = 4096
    private static let lookPause: Int32 = 20

    private let words: [String]
    private let timeMax: Duration

    /// `words`: the path and the arguments.
    public init(_ words: [String], timeMax: Duration) {
        precondition(!words.isEmpty)
        self.words = words
        self.timeMax = timeMax
    }

    /// Runs the program and waits for its end: for threads that may block. It has nothing of this process but its input, an error output,
    /// and the variables that programs need to find others and their configuration.
    public func run(input: [UInt8]) -> Result<Outcome, Failure> {
        do throws(Failure) { return .success(try start(input)) } catch { return .failure(error) }
    }

    private func start(_ input: [UInt8]) throws(Failure) -> Outcome {
        let stdin = try Self.pipe()
        defer { stdin.closeAll() }
        let stderr = try Self.pipe()
        defer { stderr.closeAll() }
        let process = try spawn(stdin: stdin.read, stderr: stderr.write)
        stdin.closeRead()
        stderr.closeWrite()
        var conversation = Conversation(input: input, stdin: stdin, stderr: stderr)
        let deadline = Deadline.after(timeMax)
        while true {
            conversation.goOn(millisecondsMax: Self.lookPause)
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process {
                conversation.readRest()
                // As WIFEXITED and WEXITSTATUS, which are macros.
                let exitStatus = status & 0x7f == 0 ? (status >> 8) & 0xff : nil
                return Outcome(exitStatus: exitStatus, complaint: conversation.complaint)
            }
            if ended < 0, errno != EINTR { throw .system("waitpid", errno) }
            if deadline.hasPassed {
                // With what it has started: it leads a group of its own.
                kill(-process, SIGKILL)
                waitpid(process, &status, 0)
                throw .timedOut
            }
        }
    }

    private func spawn(stdin: Int32, stderr: Int32) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, stderr, 2)
        tm_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of this process block most signals, and ignore that of a broken pipe.
        var (none, broken) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &broken)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"]
        if let home = getenv("HOME") { environment.append("HOME=\(String(cString: home))") }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw .system("starting \(words[0])", code) }
        return process
    }

    private static func pipe() throws(Failure) -> Pipe {
        var ends: [Int32] = [-1, -1]
        // The ends that a child gets are duplicated without this mark.
        guard tm_pipe(&ends) == 0 else { throw .system("pipe", errno) }
        return Pipe(read: ends[0], write: ends[1])
    }

    /// Closes each end once.
    private final class Pipe {
        private(set) var read: Int32
        private(set) var write: Int32

        init(read: Int32, write: Int32) {
            self.read = read
            self.write = write
        }

        func closeRead() {
            if read >= 0 { close(read) }
            read = -1
        }

        func closeWrite() {
            if write >= 0 { close(write) }
            write = -1
        }

        func closeAll() {
            closeRead()
            closeWrite()
        }
    }

    /// Writes the input and reads the complaint, as far as the program takes and gives.
    private struct Conversation {
        private let input: [UInt8]
        private var written = 0
        private let stdin: Pipe
        private let stderr: Pipe
        private var bytes: [UInt8] = []

        init(input: [UInt8], stdin: Pipe, stderr: Pipe) {
            self.input = input
            self.stdin = stdin
            self.stderr = stderr
            _ = fcntl(stdin.write, F_SETFL, O_NONBLOCK)
            _ = fcntl(stderr.read, F_SETFL, O_NONBLOCK)
        }

        var complaint: String { String(decoding: bytes, as: UTF8.self) }

        mutating func goOn(millisecondsMax: Int32) {
            // A descriptor below 0 is passed over; with none this is the pause until the end is looked for again.
            var waiting = [
                pollfd(fd: stdin.write, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: stderr.read, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, millisecondsMax) > 0 else { return }
            if waiting[0].revents != 0 { write() }
            if waiting[1].revents != 0 { readRest() }
        }

        /// A program that takes no more of it is judged by its exit status.
        private mutating func write() {
            while written < input.count {
                let start = written
                let count = input.withUnsafeBytes { buffer in
                    Glibc.write(stdin.write, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                }
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN { return }
                guard count > 0 else { break }
                written += count
            }
            stdin.closeWrite()
        }

        mutating func readRest() {
            var buffer = [UInt8](repeating: 0, count: 1024)
            while stderr.read >= 0 {
                let count = read(stderr.read, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN { return }
                guard count > 0 else { return stderr.closeRead() }
                bytes += buffer[..<min(count, complaintBytesMax - bytes.count)]
            }
        }
    }
}
