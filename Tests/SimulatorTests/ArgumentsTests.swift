import SuiteClient
import Testing

@testable import Simulator

@Suite("The simulator's command line")
struct ArgumentsTests {
    private func command(_ text: String) throws(SuiteError) -> Arguments.Command {
        try Arguments(text.split(separator: " ").map(String.init)[...]).command
    }

    @Test("a load has a rate, people by a seed, and a share of them who are ill")
    func load() throws {
        guard
            case .load(let load) = try command(
                "load --people 20000 --rate 5000 --seed 12 --illness 0.1 --connections 64 --process a=1 --process b=2 --config-directory d"
            )
        else { throw SuiteError.local("no load") }
        #expect(load.rate == 5000 && load.seconds == 10)
        #expect(load.common.people == 20_000 && load.common.seed == 12 && load.common.illnessShare == 0.1)
        #expect(load.common.connections == 64 && load.common.processes.map(\.name) == ["a", "b"])
    }

    @Test("a history has days; what is not said is as usual")
    func history() throws {
        guard case .history(let history) = try command("history --people 50 --days 7 --config-directory d") else {
            throw SuiteError.local("no history")
        }
        #expect(history.days == 7 && history.common.people == 50 && history.common.seed == LoadOptions().seed)
        #expect(history.common.illnessShare == 0 && history.common.connections == nil)
    }

    @Test("those who live are the first of a population, 300 when nobody says how many, and never more than there are")
    func live() throws {
        for (text, people) in [("", 300), (" --people 20", 20), (" --people 6000", 5000)] {
            guard case .live(let live) = try command("live --population 5000 --config-directory d" + text) else {
                throw SuiteError.local("no life")
            }
            #expect(live.population == 5000 && live.people == people)
        }
    }

    @Test(
        "SOS-13a: an ambulance service needs the secret of its hook alone, accepts unless told otherwise, and says why it rejects"
    )
    func ambulance() throws {
        guard case .ambulance(let usual) = try command("ambulance --secret-file f"), case .accept = usual.answer else {
            throw SuiteError.local("no ambulance service that accepts")
        }
        #expect(usual.page == nil)
        // With a page people answer, unless the command line says otherwise.
        guard case .ambulance(let paged) = try command("ambulance --secret-file f --page 127.0.0.1:9"),
            case .wait = paged.answer
        else { throw SuiteError.local("no ambulance service with a page") }
        #expect(paged.page == "127.0.0.1:9")
        #expect(usual.listen == "127.0.0.1:8120" && !usual.tellsProgress && usual.closesAfter == nil)
        let text =
            "ambulance --secret-file f --listen [::1]:9 --answer reject --reason outside-area --progress yes --close-after 1.5"
        guard case .ambulance(let other) = try command(text), case .reject(let reason) = other.answer else {
            throw SuiteError.local("no ambulance service that rejects")
        }
        #expect(other.listen == "[::1]:9" && reason == "outside-area" && other.tellsProgress)
        #expect(other.closesAfter == .milliseconds(1500))
    }

    @Test(
        "what does not belong to a command or is no value of its option is refused",
        arguments: [
            "", "dance --config-directory d", "load --people 5", "load --days 3 --config-directory d",
            "history --rate 3 --config-directory d", "history --days 301 --config-directory d",
            "load --illness 1.5 --config-directory d", "load --seed -1 --config-directory d",
            "populate --config-directory d", "populate --people 3 --seed 1 --config-directory d",
            "load --people 0 --config-directory d", "live --people 5 --config-directory d",
            "live --population 5 --seed 1 --config-directory d", "load --config-directory",
            "sandbox", "sandbox --people 5 --config-directory d",
            "load --process 7 --config-directory d", "ambulance", "ambulance --secret-file f --answer perhaps",
            "ambulance --secret-file f --progress much", "ambulance --secret-file f --config-directory d",
        ])
    func refused(text: String) {
        #expect(throws: SuiteError.self) { try command(text) }
    }

    @Test("the help names every command and option")
    func help() {
        for word in [
            "populate", "main-job", "load", "history", "live", "sandbox", "--population", "--seed", "--illness",
            "--days",
            "--rate", "--process",
        ] {
            #expect(Arguments.usage.contains(word))
        }
    }
}
