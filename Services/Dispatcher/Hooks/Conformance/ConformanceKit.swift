import HTTP
import JSON
import Primitives
import Reactor
import Service

/// Plays the dispatcher to an ambulance service's receiver: every message, repeat, cancellation and fault (`ConformanceCase`).
struct ConformanceKit {
    let settings: ConformanceSettings
    let target: ConformanceTarget
    let listener: ConformanceListener
    /// What stands before the addresses in `reply`.
    let baseURL: String
    /// The incidents of whose acceptance something is to be found.
    private(set) var accepted: UUID?

    private static let connectionsMax = 32

    /// Tries all cases; `say` gets lines for people while they run. Call on a loop. Errors: `CommandMistake` for an address that cannot be
    /// listened at, or certificate authorities that cannot be read.
    static func run(
        _ settings: ConformanceSettings, on loops: EventLoopGroup, say: (String) -> Void
    ) async throws -> ConformanceReport {
        guard let url = settings.url, let loop = EventLoop.current else { return ConformanceReport() }
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        configuration.connectionsPerOriginMax = connectionsMax
        configuration.responseBytesMax = HookCaller.responseBytesMax
        let tls: TLSContext?
        do throws(IOError) {
            tls = url.isSecure ? try TLSContext.client(authorityFile: settings.authorityFile, oldest: .tls12) : nil
        } catch { throw CommandMistake(description: "The certificate authorities cannot be read: \(error).") }
        let listener = ConformanceListener(hook: settings.hook, secrets: settings.secrets)
        let server: HTTPServer
        do throws(IOError) {
            server = try await HTTPServer.start(at: settings.listen, router: listener.router, loops: loops)
        } catch { throw CommandMistake(description: "Call backs cannot be taken at \(settings.listen): \(error).") }
        let client = HTTPClient(on: loop, tls: tls, configuration: configuration)
        var kit = ConformanceKit(
            settings: settings,
            target: ConformanceTarget(
                url: url, secrets: settings.secrets, contentType: settings.form.contentType,
                answerMax: settings.times.answerMax, client: client, tls: tls),
            listener: listener,
            baseURL: settings.callBackURL ?? "http://\(settings.listen.host):\(server.port)")
        say("Call backs are taken at \(kit.baseURL).")
        var report = await kit.run(say)
        report.seen = Set(listener.calls.compactMap { ConformanceAnswer($0) })
        client.close()
        await server.shutdown(grace: .zero)
        return report
    }

    private mutating func run(_ say: (String) -> Void) async -> ConformanceReport {
        var report = ConformanceReport()
        if let reason = await target.whyUnreachable() {
            report.isUnreachable = true
            say(
                report.add(
                    .probe,
                    [
                        "The receiver could not be reached, so nothing was tried: \(reason). Start it, and name its address."
                    ]
                ))
            for tried in settings.cases where tried != .probe { _ = report.skip(tried, "nobody listens") }
            return report
        }
        for tried in settings.cases where !Task.isCancelled {
            if settings.form == .cap, !tried.isOfCAP {
                say(report.skip(tried, "CAP's schema has no other words"))
            } else if tried.needsCallBacks, settings.times.acceptanceMax == .zero {
                say(report.skip(tried, "call backs are not waited for (--answers 0)"))
            } else {
                do throws(JSONError) {
                    switch try await outcome(tried) {
                    case .faults(let faults): say(report.add(tried, faults))
                    case .notTried(let reason): say(report.skip(tried, reason))
                    }
                } catch { say(report.add(tried, ["This program could not write a message: \(error.description)"])) }
            }
        }
        return report
    }

    private mutating func outcome(_ tried: ConformanceCase) async throws(JSONError) -> ConformanceOutcome {
        let faults: [String]
        switch tried {
        case .again: return try await again()
        case .unauthorized: return try await unauthorized()
        case .refused: return try await refused()
        case .probe: faults = try await probe()
        case .alert: faults = try await alert()
        case .exercise: faults = try await received("A test call", incident(isExercise: true))
        case .update: faults = try await update()
        case .resolved: faults = try await resolved()
        case .cancel: faults = try await cancel()
        case .reasons: faults = try await reasons()
        case .unknown: faults = try await unknown()
        case .sparse: faults = try await received("A message of which much is missing", incident(.sparse))
        case .whole: faults = try await received("A message with all that there may be", incident(.whole))
        case .stale: faults = try await received("A message with the last known position", incident(.stale))
        case .words: faults = try await words()
        case .large: faults = try await received("A large message with characters of many languages", incident(.large))
        case .secrets: faults = try await secrets()
        case .signature: faults = try await wrongSignature()
        case .body: faults = try await changedBody()
        case .unsigned: faults = try await unsigned()
        case .age: faults = try await age()
        case .garbage: faults = try await garbage()
        case .slow: faults = try await slow()
        case .many: faults = try await many()
        case .acceptance: faults = try await acceptance()
        case .twice: faults = await twice()
        case .lost: faults = try await lostAlert()
        case .over: faults = try await over()
        case .neededAgain: faults = try await neededAgain()
        case .callbacks: faults = callBacks()
        }
        return .faults(faults)
    }

    func incident(_ content: ConformanceIncident.Content = .usual, isExercise: Bool = false) -> ConformanceIncident {
        let made = ConformanceIncident(settings, baseURL: baseURL, content, isExercise: isExercise)
        listener.expect(made)
        return made
    }

    mutating func remember(_ incident: ConformanceIncident) { accepted = incident.id }

    // MARK: Verdicts

    func received(_ what: String, _ incident: ConformanceIncident) async throws(JSONError) -> [String] {
        received(what, await target.send(target.call(incident.webhookID(incident.number), try incident.body())))
    }

    func received(_ what: String, _ answer: ConformanceTarget.Answer) -> [String] {
        answer.isReceived
            ? []
            : [
                "\(what) \(answer.words). Answer 2xx within \(settings.times.answerMax.milliseconds / 1000) s as soon as it is stored; anything else is sent again, and a person may wait."
            ]
    }

    func refused(_ what: String, _ answer: ConformanceTarget.Answer, _ advice: String) -> [String] {
        answer.isRefused
            ? [] : ["\(what) \(answer.words). It has to be refused with 401 (or another 4xx): \(advice)"]
    }
}
