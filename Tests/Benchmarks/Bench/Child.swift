import Glibc

/// Another process of this benchmark: a baseline, or a server with a process of its own. It ends with this object.
final class Child {
    private let process: pid_t
    private let output: Int32
    private var hasEnded = false

    init(_ program: String, _ arguments: [String], on side: Side = .server) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError.system("pipe", errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        // Threads of this process block most signals, pgbench's alarm among them; the child shall not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        side.pin()
        let code = posix_spawnp(&process, program, &actions, &attributes, &words, environ)
        Side.client.pin()
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw BenchError.system("starting \(program)", code)
        }
        self.process = process
        output = ends[0]
    }

    deinit { end() }

    /// The next line of its output; `nil` at the end.
    func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// All of its output; waits for its end.
    func wholeOutput() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        guard status == 0 else { throw BenchError.failed("a child process ended with status \(status)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The port that a server prints first.
    func port() throws -> UInt16 {
        guard let line = line(), let port = UInt16(line) else { throw BenchError.failed("a server gave no port") }
        return port
    }

    /// Resident memory in bytes.
    var residentBytes: Double {
        get throws {
            guard let file = fopen("/proc/\(process)/status", "r") else {
                throw BenchError.failed("the server is gone")
            }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, 256, file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if text.hasPrefix("VmRSS:"),
                    let number = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
                {
                    return (Double(number) ?? 0) * 1024
                }
            }
            throw BenchError.failed("no VmRSS")
        }
    }

    /// A second call has no effect.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        close(output)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}

enum BenchError: Error, CustomStringConvertible {
    case system(String, Int32)
    case failed(String)

    var description: String {
        switch self {
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        case .failed(let what): what
        }
    }
}

/// The programs beside this one.
enum Programs {
    static let own = CommandLine.arguments[0]
    static var baseline: String {
        own.lastIndex(of: "/").map { String(own[...$0]) + "trackme-bench-baseline" } ?? "trackme-bench-baseline"
    }
}
