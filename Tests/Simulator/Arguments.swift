import SuiteClient

/// The command line.
struct Arguments {
    enum Command {
        case populate(count: Int)
        case mainJob(recordings: String?)
    }

    static let peopleMax = 2_000_000
    static let usage = """
        trackme-simulator populate --people N --config-directory DIR
        trackme-simulator main-job --config-directory DIR [--recordings DIR]

          populate   fills a running suite with N people and 30 days of their data
          main-job   goes through the main job step by step, with real recordings (GPX, TCX) or made-up ones
        """

    let command: Command
    /// Where `simulator.json` is.
    let configurationDirectory: String

    /// Errors: `local` for what is missing, unknown or not a number.
    init(_ arguments: ArraySlice<String>) throws(SuiteError) {
        var rest = arguments
        let name = rest.popFirst()
        var options: [String: String] = [:]
        while let option = rest.popFirst() {
            guard ["--people", "--config-directory", "--recordings"].contains(option) else {
                throw .local("unknown option '\(option)'")
            }
            guard let value = rest.popFirst() else { throw .local("\(option) needs a value") }
            options[option] = value
        }
        guard let directory = options["--config-directory"] else { throw .local("--config-directory is missing") }
        configurationDirectory = directory
        switch name {
        case "populate":
            guard let count = options["--people"].flatMap({ Int($0) }), (1...Self.peopleMax).contains(count) else {
                throw .local("--people needs a number from 1 to \(Self.peopleMax)")
            }
            command = .populate(count: count)
        case "main-job": command = .mainJob(recordings: options["--recordings"])
        default: throw .local("say what to do: populate or main-job")
        }
    }
}
