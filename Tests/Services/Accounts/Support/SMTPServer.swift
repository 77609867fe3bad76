import Glibc
import Reactor
import Synchronization

/// A relay on this machine that answers as it is told, one connection after the other (RFC 5321).
final class SMTPServer: Sendable {
    struct Mail: Sendable {
        let sender: String
        let recipient: String
        /// Lines end with LF, dots are not doubled any more.
        let content: String
    }

    private struct State {
        var answers: [String: String] = [:]
        var mails: [Mail] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())
    private let pool: BlockingPool

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw IOError.closed }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        pool = try BlockingPool(threads: 1, queueMax: 1)
    }

    var mails: [Mail] { state.withLock { $0.mails } }

    /// The answer to a command, `MAIL`, `RCPT`, `DATA` or `.`, from now on.
    func answer(_ command: String, _ reply: String?) { state.withLock { $0.answers[command] = reply } }

    /// Serves while `body` runs.
    func serve<R>(_ body: () async throws -> R) async throws -> R {
        let serving = Task { try await pool.run { [self] in acceptAll() } }
        defer {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }
        let result = try await body()
        shutdown(listener, Int32(SHUT_RDWR))
        try await serving.value
        pool.shutdown()
        return result
    }

    private func acceptAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            guard let stream = fdopen(connection, "r+") else { continue }
            talk(stream)
            fclose(stream)
        }
    }

    private func talk(_ stream: UnsafeMutablePointer<FILE>) {
        func say(_ text: String) {
            fputs(text + "\r\n", stream)
            fflush(stream)
        }
        func line() -> String? {
            var buffer = [CChar](repeating: 0, count: 2048)
            guard fgets(&buffer, 2048, stream) != nil else { return nil }
            let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return String(text.filter { !$0.isNewline })
        }
        func reply(to command: String, _ usual: String) -> String {
            state.withLock { $0.answers[command] ?? usual }
        }
        var (sender, recipient) = ("", "")
        say("220 relay.example")
        while let command = line() {
            switch command.prefix(4).uppercased() {
            case "EHLO": say("250 relay.example")
            case "MAIL":
                sender = Self.address(in: command)
                say(reply(to: "MAIL", "250 ok"))
            case "RCPT":
                recipient = Self.address(in: command)
                say(reply(to: "RCPT", "250 ok"))
            case "DATA":
                say("354 go on")
                var content = ""
                while let text = line(), text != "." {
                    content += text.drop { $0 == "." } == text[...] ? text + "\n" : text.dropFirst() + "\n"
                }
                let answer = reply(to: ".", "250 ok")
                if answer.hasPrefix("2") {
                    let mail = Mail(sender: sender, recipient: recipient, content: content)
                    state.withLock { $0.mails.append(mail) }
                }
                say(answer)
            case "QUIT": return say("221 bye")
            default: say("250 ok")
            }
        }
    }

    private static func address(in command: String) -> String {
        String(command.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
    }
}
