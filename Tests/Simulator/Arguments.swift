import SuiteClient

/// The command line.
struct Arguments {
    enum Command {
        case populate(count: Int)
        case mainJob(recordings: String?)
        case load(Load.Options)
        case history(HistoryLoad.Options)
        case live(Live.Options)
        case broker
        case sandbox
        case ambulance(Ambulance.Options)
    }

    static let peopleMax = 2_000_000
    static let usage = """
        trackme-simulator populate --people N --config-directory DIR
        trackme-simulator main-job --config-directory DIR [--recordings DIR]
        trackme-simulator load --people N --config-directory DIR [--rate R] [--seconds S] [OPTION]…
        trackme-simulator history --people N --days D --config-directory DIR [OPTION]…
        trackme-simulator live --population N --config-directory DIR [--people N]
        trackme-simulator broker --config-directory DIR
        trackme-simulator sandbox --config-directory DIR
        trackme-simulator ambulance --secret-file FILE [--listen HOST:PORT] [OPTION]…

          populate   fills a running suite with N people and 30 days of their data: about 20 samples a day of most, and of those
                     whose log-ins are shown all that a watch and a phone measure
          main-job   goes through the main job step by step, with real recordings (GPX, TCX) or made-up ones
          load       uploads as the watches of N made-up people, R times a second (without R as often as the service
                     takes it), and tells rate, refusals, latency from the intended time, and processor time per upload of
                     the named processes
          history    uploads the last D days (\(HistoryLoad.daysMax) at most) of N made-up people at full speed, as watch and phone
                     measure them: vital signs every 30 s, sleep, steps, activities, positions; about 15,000 samples a day
          live       lets the first of a population of N people (300 without --people) go on living until it is stopped: their
                     devices send what they measure, and 25 of them take part in a run near Milan, the next one being announced;
                     the people of the sandbox answer who asks them
          broker     plays the payments' broker until it is stopped: its pages ask whether a payment shall succeed or fail
          sandbox    makes a third party with a program, and ten people who accept, refuse, withdraw, pause; writes down who they are

          ambulance  plays an ambulance service that receives emergencies until it is stopped, and shows what happens as lines of JSON;
                     SIGUSR1 accepts what waits for an answer, SIGUSR2 rejects it, and so do people at its page

        Options of ambulance:

          --page HOST:PORT    a page on this machine for people who answer: incidents on a map, with sound
          --answer WORD       accept (the default without a page), wait (the default with one), or reject
          --reason WORD       of rejections: no-vehicle (the default), outside-area, duplicate, not-an-emergency, technical, other
          --progress yes      tells, too, that an ambulance is on its way and when it is expected
          --close-after S     says that the emergency is over, so many seconds after it has accepted it

        Options of load and history:

          --seed S            another number makes other people (default \(LoadOptions().seed))
          --illness SHARE     this share of the people is ill, 0 to 1 (default 0)
          --connections C     default 256; of a history 16
          --process NAME=PID  a process whose processor time is told; may be repeated

        Both, and live, need the deployment's signing key (signing_key_file in simulator.json). The people of loads and histories
        are not registered and stay in the database: use one that can be thrown away.
        """

    let command: Command
    /// Where `simulator.json` is.
    let configurationDirectory: String

    /// Errors: `local` for what is missing, unknown or not a number.
    init(_ arguments: ArraySlice<String>) throws(SuiteError) {
        var rest = arguments
        let name = rest.popFirst()
        guard let known = Self.options[name ?? ""] else {
            throw .local("say what to do: populate, main-job, load, history, live, broker, sandbox or ambulance")
        }
        var options: [String: String] = [:]
        var processes: [(name: String, id: Int32)] = []
        while let option = rest.popFirst() {
            guard known.contains(option) else { throw .local("unknown option '\(option)'") }
            guard let value = rest.popFirst() else { throw .local("\(option) needs a value") }
            if option == "--process" { processes.append(try Self.process(value)) } else { options[option] = value }
        }
        if name == "ambulance" {
            (command, configurationDirectory) = (.ambulance(try Self.ambulance(options)), "")
            return
        }
        guard let directory = options["--config-directory"] else { throw .local("--config-directory is missing") }
        configurationDirectory = directory
        switch name {
        case "main-job": command = .mainJob(recordings: options["--recordings"])
        case "broker": command = .broker
        case "populate":
            guard let people = try Self.people(options) else { throw .local("--people is missing") }
            command = .populate(count: people)
        case "sandbox": command = .sandbox
        case "live":
            guard let population = try Self.people(options, "--population") else {
                throw .local("--population is missing")
            }
            var live = Live.Options(population: population)
            live.people = min(try Self.people(options) ?? live.people, population)
            command = .live(live)
        case "history":
            var history = HistoryLoad.Options(common: try Self.common(options, processes))
            history.days = Int(
                try Self.number(options, "--days", in: 1...Double(HistoryLoad.daysMax)) ?? Double(history.days))
            command = .history(history)
        default:
            var load = Load.Options(common: try Self.common(options, processes))
            load.rate = try Self.number(options, "--rate", in: 0.01...1_000_000)
            load.seconds = try Self.number(options, "--seconds", in: 0.1...86_400) ?? load.seconds
            command = .load(load)
        }
    }

    /// Those of each command.
    private static let options: [String: [String]] = [
        "populate": ["--people", "--config-directory"], "main-job": ["--recordings", "--config-directory"],
        "load": loadOptions + ["--rate", "--seconds"], "history": loadOptions + ["--days"],
        "live": ["--population", "--people", "--config-directory"], "broker": ["--config-directory"],
        "sandbox": ["--config-directory"],
        "ambulance": ["--listen", "--secret-file", "--answer", "--reason", "--progress", "--close-after", "--page"],
    ]
    private static let loadOptions = [
        "--people", "--seed", "--illness", "--connections", "--process", "--config-directory",
    ]

    private static func ambulance(_ options: [String: String]) throws(SuiteError) -> Ambulance.Options {
        var ambulance = Ambulance.Options()
        guard let file = options["--secret-file"] else { throw .local("--secret-file is missing") }
        ambulance.secretFile = file
        ambulance.listen = options["--listen"] ?? ambulance.listen
        ambulance.page = options["--page"]
        switch options["--answer"] {
        case "accept": ambulance.answer = .accept
        case nil: ambulance.answer = ambulance.page == nil ? .accept : .wait
        case "reject": ambulance.answer = .reject(reason: options["--reason"] ?? "no-vehicle")
        case "wait": ambulance.answer = .wait
        case _?: throw .local("--answer is accept, wait or reject")
        }
        switch options["--progress"] {
        case "yes": ambulance.tellsProgress = true
        case "no", nil: break
        case _?: throw .local("--progress is yes or no")
        }
        ambulance.closesAfter = try number(options, "--close-after", in: 0...86_400).map {
            .milliseconds(Int64($0 * 1000))
        }
        return ambulance
    }

    private static func common(
        _ options: [String: String], _ processes: [(name: String, id: Int32)]
    ) throws(SuiteError) -> LoadOptions {
        var common = LoadOptions()
        common.people = try people(options) ?? common.people
        if let text = options["--seed"] {
            guard let seed = UInt64(text) else { throw .local("--seed needs a whole number that is not negative") }
            common.seed = seed
        }
        common.illnessShare = try number(options, "--illness", in: 0...1) ?? common.illnessShare
        common.connections = try number(options, "--connections", in: 1...20_000).map { Int($0) }
        common.processes = processes
        return common
    }

    private static func people(
        _ options: [String: String], _ name: String = "--people"
    ) throws(SuiteError) -> Int? {
        try number(options, name, in: 1...Double(peopleMax)).map { Int($0) }
    }

    private static func number(
        _ options: [String: String], _ name: String, in range: ClosedRange<Double>
    ) throws(SuiteError) -> Double? {
        guard let text = options[name] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw .local("\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `ingestion=4711`.
    private static func process(_ text: String) throws(SuiteError) -> (name: String, id: Int32) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let id = Int32(parts[1]), id > 0 else {
            throw .local("--process needs a name and a process id, as in ingestion=4711")
        }
        return (String(parts[0]), id)
    }
}
