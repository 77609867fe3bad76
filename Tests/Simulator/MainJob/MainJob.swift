import Domain
import Primitives
import SuiteClient

/// The main job of the suite: six steps through the public API, as people, devices, companies, an ambulance service and a
/// spectator would take them. The first thing that is not as it must be ends it.
struct MainJob {
    static let password = "quattro-passi-al-lago"

    let suite: Suite
    /// A directory with GPX and TCX files; without one they are made up.
    let recordings: String?

    func run() async throws(SuiteError) {
        let watch = Stopwatch()
        var newcomers = Newcomers()
        let mailbox = Mailbox(directory: suite.configuration.mailDirectory)
        let files = try Recordings(directory: recordings)
        let cast = Cast(suite: suite, mailbox: mailbox)

        let met = try await Registration(cast: cast).run(&newcomers)
        let collected = try await Collection(person: met.individual, files: files).run()
        try await Sharing(
            person: met.individual, thirdParty: met.thirdParty, mailbox: mailbox, collected: collected
        ).run()
        try await GroupStatistics(suite: suite, thirdParty: met.thirdParty).run()
        try await Emergency(cast: cast).run(&newcomers)
        try await Race(cast: cast, files: files).run(&newcomers)
        Output.line("The main job went through in \(watch.elapsed.brief).")
    }
}

/// Who makes the people of the script.
struct Cast: Sendable {
    let suite: Suite
    let mailbox: Mailbox

    var api: API { API(suite) }

    func individual(_ person: SimulatedPerson) async throws(SuiteError) -> Individual {
        try await .register(person, password: MainJob.password, api: api, mailbox: mailbox)
    }

    func company(_ form: CompanyForm, as kind: AccountKind) async throws(SuiteError) -> Company {
        try await .register(form, as: kind, api: api, mailbox: mailbox)
    }
}

/// What a step says: one line for each thing that came back.
struct Step {
    private let number: Int

    /// Prints the heading.
    init(_ number: Int, _ title: String) {
        self.number = number
        Output.line("\(number). \(title)")
    }

    func say(_ text: String) { Output.line("   \(text)") }
}
