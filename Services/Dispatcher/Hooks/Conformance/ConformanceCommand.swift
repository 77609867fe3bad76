import Glibc
import HTTP
import Primitives
import Reactor
import Security
import Service

/// `trackme-dispatcher conformance`: tries an ambulance service's integration, and says what it does wrong.
struct ConformanceCommand {
    static let summary = "tries an ambulance service's receiver: --url URL --secret-file FILE; help: all options"

    static let usage = """
        trackme-dispatcher conformance --url URL --secret-file FILE [OPTION]…

        Sends the receiver at URL every message that AutomatedSOS sends, repeats, cancellations and faults, and says in words what it does
        wrong. Every incident is marked as an exercise, of a person who does not exist. The receiver should accept them while it runs.
        At the end it says which answers came (acceptance, rejection, resolution, each status), which did not, and what it cannot see.

          --hook NAME         the name in `reply.hook` and in `addresses` (conformance)
          --form json|cap     what the hook is configured for (json)
          --listen HOST:PORT  where this program takes the receiver's call backs (127.0.0.1:0: a free port)
          --callback-url URL  how the receiver reaches that address, when it is on another machine
          --answers SECONDS   how long an acceptance is waited for (30); 0: call backs are not tried
          --authority FILE    certificate authorities (PEM) in place of the system's
          --only ID,ID…       some of the cases
          --actual            marks the incidents as actual, not as an exercise: only where nobody is sent anywhere

        Ends with 0 when nothing is wrong, with 1 when something is, with 2 when the command line is.
        """

    private(set) var settings: ConformanceSettings
    private let showsHelp: Bool

    /// Errors: `UsageMistake`.
    init(_ arguments: [String]) throws {
        var options: [String: String] = [:]
        var isActual = false
        var rest = arguments[...]
        showsHelp = arguments.contains("help")
        while let name = rest.popFirst(), !showsHelp {
            if name == "--actual" {
                isActual = true
                continue
            }
            guard Self.names.contains(name) else {
                throw UsageMistake(description: "There is no option \(name).\n\n\(Self.usage)")
            }
            guard let value = rest.popFirst() else { throw UsageMistake(description: "\(name) needs a value.") }
            options[name] = value
        }
        if showsHelp {
            settings = ConformanceSettings(url: nil, secrets: [])
            return
        }
        guard let text = options["--url"], let url = HTTPURL(text) else {
            throw UsageMistake(description: "Name the receiver with --url https://….\n\n\(Self.usage)")
        }
        guard let file = options["--secret-file"] else {
            throw UsageMistake(description: "Name the file with the secret with --secret-file FILE.\n\n\(Self.usage)")
        }
        settings = ConformanceSettings(url: url, secrets: try Self.secrets(file))
        settings.isActual = isActual
        settings.hook = options["--hook"] ?? settings.hook
        if let form = options["--form"] {
            guard let known = Hook.Form(rawValue: form) else {
                throw UsageMistake(description: "--form is json or cap.")
            }
            settings.form = known
        }
        if let listen = options["--listen"] {
            guard let endpoint = Endpoint(listen) else { throw UsageMistake(description: "--listen needs HOST:PORT.") }
            settings.listen = endpoint
        }
        settings.callBackURL = options["--callback-url"]
        settings.authorityFile = options["--authority"]
        if let seconds = options["--answers"] {
            guard let number = Int64(seconds), (0...3600).contains(number) else {
                throw UsageMistake(description: "--answers needs a number of seconds from 0 to 3600.")
            }
            settings.times.acceptanceMax = .seconds(number)
        }
        if let only = options["--only"] {
            let names = only.split(separator: ",").map(String.init)
            for name in names where !ConformanceCase.allCases.contains(where: { $0.rawValue == name }) {
                let known = ConformanceCase.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageMistake(description: "There is no case \(name). There are: \(known).")
            }
            settings.cases = ConformanceCase.allCases.filter { names.contains($0.rawValue) }
        }
    }

    private static let names: Set = [
        "--url", "--secret-file", "--hook", "--form", "--listen", "--callback-url", "--answers", "--authority",
        "--only",
    ]

    private static func secrets(_ file: String) throws -> [WebhookSecret] {
        let text: String
        do throws(SecurityError) { text = try SecretFile.text(file) } catch {
            throw UsageMistake(description: "The secret cannot be read: \(error).")
        }
        do throws(SecurityError) {
            var secrets: [WebhookSecret] = []
            for word in text.split(whereSeparator: \.isWhitespace) { secrets.append(try WebhookSecret(String(word))) }
            guard !secrets.isEmpty else { throw SecurityError.malformed("it is empty") }
            return secrets
        } catch { throw UsageMistake(description: "\(file) does not hold whsec_ and 24 to 64 bytes in base64.") }
    }

    func run(on loops: EventLoopGroup) async throws {
        guard !showsHelp else { return Console.say(Self.usage) }
        let report = try await ConformanceKit.run(settings, on: loops) { Console.say($0) }
        for line in report.closing { Console.say(line) }
        Console.say(report.summary)
        guard report.failures.isEmpty else {
            throw CommandMistake(description: "The receiver does not do what an ambulance service's has to do yet.")
        }
    }
}

/// What is tried, and how.
struct ConformanceSettings: Sendable {
    /// `nil` is never called.
    var url: HTTPURL?
    var secrets: [WebhookSecret]
    var hook = "conformance"
    var form = Hook.Form.json
    var listen = Endpoint(host: "127.0.0.1", port: 0)
    var callBackURL: String?
    var authorityFile: String?
    var isActual = false
    var cases = ConformanceCase.allCases
    var times = Times()

    init(url: HTTPURL?, secrets: [WebhookSecret]) {
        self.url = url
        self.secrets = secrets
    }

    struct Times: Sendable {
        /// As `HandOverTimes.attemptMax`.
        var answerMax = Duration.seconds(3)
        /// Zero: call backs are not tried.
        var acceptanceMax = Duration.seconds(30)
        /// How long a call back that was answered 503 may take to come again.
        var repeatMax = Duration.seconds(40)
        /// How long nothing may come that must not come.
        var quiet = Duration.seconds(3)
        /// How long a body takes that comes slowly.
        var slowBody = Duration.seconds(2)
    }
}
