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
        for tried in settings.cases where !Task.isCancelled {
            if settings.form == .cap, !tried.isOfCAP {
                say(report.skip(tried, "CAP's schema has no other words"))
            } else if tried.needsCallBacks, settings.times.acceptanceMax == .zero {
                say(report.skip(tried, "call backs are not waited for (--answers 0)"))
            } else {
                do throws(JSONError) { say(report.add(tried, try await faults(tried))) } catch {
                    say(report.add(tried, ["This program could not write a message: \(error.description)"]))
                }
            }
        }
        return report
    }

    private mutating func faults(_ tried: ConformanceCase) async throws(JSONError) -> [String] {
        switch tried {
        case .probe: try await probe()
        case .alert: try await alert()
        case .exercise: try await received("A test call", incident(isExercise: true))
        case .update: try await update()
        case .resolved: try await resolved()
        case .cancel: try await cancel()
        case .unknown: try await unknown()
        case .sparse: try await received("A message of which much is missing", incident(.sparse))
        case .words: try await words()
        case .large: try await received("A large message with characters of many languages", incident(.large))
        case .secrets: try await secrets()
        case .signature: try await wrongSignature()
        case .body: try await changedBody()
        case .unsigned: try await unsigned()
        case .age: try await age()
        case .garbage: try await garbage()
        case .slow: try await slow()
        case .many: try await many()
        case .acceptance: try await acceptance()
        case .twice: try await twice()
        case .again: try await again()
        case .refused: try await refused()
        case .callbacks: callBacks()
        }
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
            ? [] : ["\(what) was \(answer.words). It has to be refused with 401 (or another 4xx): \(advice)"]
    }
}
