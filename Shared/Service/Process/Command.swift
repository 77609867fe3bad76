/// The command line of a service's program.
struct Command: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case serve, migrate, version, help
        case check(connects: Bool)
        /// A subcommand of the service, with its arguments.
        case own(String, [String])
    }

    var action: Action
    /// `--config`.
    var configurationFile: String?

    /// A mistake on the command line, in one sentence.
    struct Mistake: Error, Equatable {
        let sentence: String
    }

    /// `arguments` without the program's name; `names` are the service's own subcommands.
    init(_ arguments: [String], subcommands names: [String]) throws(Mistake) {
        var words: [String] = []
        var configurationFile: String?
        var connects = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--config":
                guard let file = rest.popFirst() else { throw Mistake(sentence: "--config needs a file.") }
                configurationFile = file
            case _ where argument.hasPrefix("--config="): configurationFile = String(argument.dropFirst(9))
            case "--connect" where words.first == "check": connects = true
            case "--help", "-h": words = ["help"]
            case "--version": words = ["version"]
            // What follows one of the service's own subcommands is for it to read.
            case _ where argument.hasPrefix("-") && !(words.first.map(names.contains) ?? false):
                throw Mistake(sentence: "There is no option \(argument).")
            default: words.append(argument)
            }
        }
        self.configurationFile = configurationFile
        let name = words.first ?? "serve"
        switch name {
        case "serve": action = .serve
        case "migrate": action = .migrate
        case "check": action = .check(connects: connects)
        case "version": action = .version
        case "help": action = .help
        case _ where names.contains(name): action = .own(name, Array(words.dropFirst()))
        default: throw Mistake(sentence: "There is no subcommand \(name).")
        }
        if case .own = action { return }
        guard words.count <= 1 else { throw Mistake(sentence: "\(name) takes no arguments: \(words[1]).") }
    }

    static func help<Definition: ServiceDefinition>(_: Definition.Type) -> String {
        var commands = [
            ("serve", "runs the service (also without a subcommand)"),
            ("migrate", "brings the database's schema up to date and ends"),
            ("check [--connect]", "checks the configuration; with --connect the database and its schema, too"),
            ("version", "prints the version"), ("help", "prints this"),
        ]
        commands += Definition.allSubcommands.map { ($0.name, $0.summary) }
        commands += Definition.tools.map { ($0.name, "\($0.summary) (needs no --config)") }
        let width = (commands.map(\.0.count).max() ?? 0) + 2
        func row(_ left: String, _ right: String) -> String {
            "  \(left)\(String(repeating: " ", count: max(1, width - left.count)))\(right)"
        }
        var lines = ["Usage: \(Definition.program) [SUBCOMMAND] --config FILE", "", "Subcommands:"]
        lines += commands.map { row($0.0, $0.1) }
        lines += [
            "",
            "Signals: SIGTERM and SIGINT stop it in order, a second one at once; SIGHUP reads the configuration and its files again.",
            "", "Exit codes:",
        ]
        lines += ExitCode.allCases.map { row(String($0.rawValue), $0.meaning) }
        return lines.joined(separator: "\n") + "\n"
    }
}
