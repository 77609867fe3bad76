import Glibc
import HTTP
import JSON
import Primitives
import Reactor
import Security
import SuiteClient
import Synchronization

/// `trackme-simulator ambulance`: an ambulance service for operators and engineers, which shows incidents as lines of JSON and answers
/// them as it is told: on the command line, by signals while it runs, or by a person at its page (`AmbulancePage`).
struct Ambulance: Sendable {
    struct Options {
        var listen = "127.0.0.1:8120"
        var secretFile = ""
        var answer = ReferenceReceiver.Answer.accept
        var tellsProgress = false
        var closesAfter: Duration?
        /// Where the page is; none without it.
        var page: String?
        /// Of Debian's package libjs-leaflet.
        var leafletDirectory = "/usr/share/javascript/leaflet"
    }

    private static let signalPause = Duration.milliseconds(200)

    let options: Options

    /// Runs until it is stopped. Errors: `local`.
    func run(_ loops: EventLoopGroup) async throws(SuiteError) {
        guard let endpoint = Endpoint(options.listen) else { throw .local("\(options.listen) is not HOST:PORT.") }
        var settings = ReferenceReceiver.Settings(secrets: try secrets())
        settings.answer = options.answer
        settings.tellsProgress = options.tellsProgress
        settings.closesAfter = options.closesAfter
        Ending.whenTold()
        AnswerSignals.listen()
        do {
            let board = IncidentBoard()
            let receiver = try await ReferenceReceiver.start(at: endpoint, settings, loops: loops) { line in
                board.take(line)
                guard let bytes = try? JSONEncoder().encode(JSONValue.object(line)) else { return }
                Output.line(String(decoding: bytes, as: UTF8.self))
            }
            Output.error("An ambulance service takes incidents at http://\(endpoint.host):\(receiver.port)/incidents.")
            try await showPage(board, receiver, loops)
            while true {
                if AnswerSignals.takeAcceptance() { receiver.answerAll(.accept) }
                if AnswerSignals.takeRejection() { receiver.answerAll(.reject(reason: "other")) }
                try await loops.loops[0].sleep(for: Self.signalPause)
            }
        } catch {
            if let error = error as? SuiteError { throw error }
            throw .local("The ambulance service ended: \(error).")
        }
    }

    private func showPage(
        _ board: IncidentBoard, _ receiver: ReferenceReceiver, _ loops: EventLoopGroup
    ) async throws(SuiteError) {
        guard let address = options.page else { return }
        let page = AmbulancePage(board: board, receiver: receiver, leafletDirectory: options.leafletDirectory)
        let server = try await page.start(at: address, loops: loops)
        Output.error("Its page is at http://\(Endpoint(host: server.host, port: server.server.port)).")
    }

    private func secrets() throws(SuiteError) -> [WebhookSecret] {
        do throws(SecurityError) {
            var secrets: [WebhookSecret] = []
            for word in try SecretFile.text(options.secretFile).split(whereSeparator: \.isWhitespace) {
                secrets.append(try WebhookSecret(String(word)))
            }
            guard !secrets.isEmpty else { throw SecurityError.malformed("it is empty") }
            return secrets
        } catch { throw .local("\(options.secretFile) holds no secret of a hook: \(error).") }
    }
}

/// SIGUSR1 accepts what waits, SIGUSR2 rejects it.
private enum AnswerSignals {
    private static let acceptances = Atomic<Bool>(false)
    private static let rejections = Atomic<Bool>(false)

    static func listen() {
        // The first use of a static makes it; that does not belong into a signal handler.
        _ = (takeAcceptance(), takeRejection())
        signal(SIGUSR1) { _ in AnswerSignals.acceptances.store(true, ordering: .releasing) }
        signal(SIGUSR2) { _ in AnswerSignals.rejections.store(true, ordering: .releasing) }
    }

    static func takeAcceptance() -> Bool { acceptances.exchange(false, ordering: .acquiringAndReleasing) }
    static func takeRejection() -> Bool { rejections.exchange(false, ordering: .acquiringAndReleasing) }
}
