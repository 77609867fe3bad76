import Glibc
import HTTP
import JSON
import LoadGenerator
import Primitives
import Reactor
import Security
import SuiteClient

/// The ambulance service, a process of its own: the reference receiver, which checks signatures, accepts each incident, and says
/// soon afterwards that it is over, so that the person may have another one. What happens goes to a file, a line each.
enum AmbulanceServer {
    /// From the acceptance to the end.
    private static let helpTime = Duration.seconds(1)

    static func arguments(port: UInt16, secret: String, file: String) -> [String] {
        ["serve-ambulance", "\(port)", secret, file]
    }

    static func url(port: UInt16) -> String { "http://127.0.0.1:\(port)/incidents" }

    /// Prints its port.
    static func serve(_ loops: EventLoopGroup) async throws {
        guard CommandLine.arguments.count == 5, let port = UInt16(CommandLine.arguments[2]) else {
            throw BenchError.failed("serve-ambulance PORT SECRET-FILE FILE")
        }
        var settings = ReferenceReceiver.Settings(
            secrets: [try WebhookSecret(try SecretFile.text(CommandLine.arguments[3]))])
        settings.closesAfter = helpTime
        let descriptor = open(CommandLine.arguments[4], O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw BenchError.system("open", errno) }
        let receiver = try await ReferenceReceiver.start(
            at: Endpoint(host: "127.0.0.1", port: port), settings, loops: loops
        ) { happened in
            let line = Array(AmbulanceEvent(happened, at: monotonicNanoseconds()).line.utf8)
            guard write(descriptor, line, line.count) == line.count else { exit(1) }
        }
        emit("\(receiver.port)")
        try await loops.loops[0].sleep(until: .never)
    }
}

/// What happened at the ambulance service.
struct AmbulanceEvent: Sendable {
    /// `alert`, `update`, `accepted`, `accepted-refused` and the like.
    let name: String
    let incident: String
    /// The call-back number of a message's person.
    let phone: String
    /// By the monotonic clock, which all processes of a machine share. Of a message when it had come as a whole, its signature was
    /// checked and it was read: a fraction of a millisecond after its first byte.
    let at: Int64

    init(_ happened: JSONObject, at time: Int64) {
        name = happened["event"]?.text ?? "-"
        incident = happened["incident"]?.text ?? "-"
        phone = happened["message"]?["person"]?["callback_phone"]?.text ?? "-"
        at = time
    }

    /// `nil` for a line that is not complete yet.
    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 4, let time = Int64(words[3]) else { return nil }
        (name, incident, phone, at) = (String(words[0]), String(words[1]), String(words[2]), time)
    }

    var line: String { "\(name) \(incident) \(phone) \(at)\n" }
}
