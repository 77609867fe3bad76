import Glibc
import HTTP
import Reactor

/// The receiver of webhooks, a process of its own that may be killed: it writes the id of each call to a file before it answers,
/// so that what was answered is known afterwards.
enum HookReceiver {
    /// Bytes of an id in the file, with its line's end.
    static let lineBytes = 37

    /// Arguments of `serve-hooks`; `events` and `plain` have a file each.
    static func arguments(port: UInt16, files: String) -> [String] { ["serve-hooks", "\(port)", files] }

    static func url(port: UInt16, _ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }
    static func file(_ files: String, _ name: String) -> String { "\(files).\(name)" }

    /// Prints its port.
    static func serve(_ loops: EventLoopGroup) async throws {
        guard CommandLine.arguments.count == 4, let port = UInt16(CommandLine.arguments[2]) else {
            throw BenchError.failed("serve-hooks PORT FILES")
        }
        var router = HTTPRouter()
        for name in ["events", "plain"] {
            let descriptor = open(file(CommandLine.arguments[3], name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            guard descriptor >= 0 else { throw BenchError.system("open", errno) }
            router.on(.post, "/\(name)") { request in
                let line = Array("\(request.field("webhook-id") ?? "")\n".utf8)
                guard line.count == lineBytes, write(descriptor, line, line.count) == line.count else {
                    return HTTPResponse(.internalServerError)
                }
                return .noContent
            }
        }
        let server = try await HTTPServer.start(
            at: Endpoint(host: "127.0.0.1", port: port), router: router, loops: loops)
        emit("\(server.port)")
        try await loops.loops[0].sleep(until: .never)
    }
}

/// What the receiver has answered, by its file.
struct ReceivedCalls {
    private let path: String

    init(_ files: String, _ name: String) { path = HookReceiver.file(files, name) }

    /// Calls so far.
    var count: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) / HookReceiver.lineBytes : 0
    }

    /// The id of each, in the order of arrival.
    func ids() throws -> [String] {
        guard let file = fopen(path, "r") else { throw BenchError.system("fopen", errno) }
        defer { fclose(file) }
        var ids: [String] = []
        var line = [CChar](repeating: 0, count: 128)
        while fgets(&line, 128, file) != nil {
            ids.append(String(decoding: line.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return ids
    }
}
