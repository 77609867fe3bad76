import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

@testable import Dispatcher

/// What all worlds of this program share: the service wired together as it is shipped, with a database that nobody connects to, and the
/// people's keys. Only what keeps nothing of a world is taken from it.
struct WorldTemplate: Sendable {
    static let shared: WorldTemplate = {
        do { return try WorldTemplate() } catch { preconditionFailure("the dispatcher cannot be wired: \(error)") }
    }()

    struct Somebody: Sendable {
        let account: UUID
        let key: SubjectKey
        let details: EnrolmentDetails
        let identity: IncidentDetails.Person?
        let enrolled: Roster.Enrolled
        let wearer: Wearer
    }

    let capabilities: Capabilities
    let keys: SubjectKeys
    let cipher: FieldCipher
    let tokens: HandOverToken
    let metrics: Metrics
    let handOverMetrics: HandOverMetrics
    let calls: Counter
    let log: Log
    let people: [Somebody]
    let identity: Accounts.Identity.Result

    private init() throws {
        let loops = try EventLoopGroup(count: 1)
        let serviceKeys = try ServiceKeys.random()
        cipher = FieldCipher(serviceKeys.fields)
        let database = Database(
            DatabaseConfiguration(
                connectionInfo: "host=/nonexistent dbname=nothing", searchPath: ["nothing"], applicationName: "world"),
            loops: loops)
        // Nobody's key ages.
        let time = Deadline.now()
        keys = SubjectKeys(store: KeyStore(database: database), cipher: cipher) { time }
        metrics = Metrics()
        handOverMetrics = HandOverMetrics(metrics)
        calls = metrics.counter("trackme_calls", "Presses.")
        log = Log(service: "dispatcher", level: .error, sink: Quiet())
        tokens = HandOverToken(master: serviceKeys.blindIndex)
        let keystore = try JSONDecoder().decode(
            DatabaseSettings.self,
            from: Array(
                #"{"hosts": ["/nonexistent:1"], "name": "n", "user": "u", "password_file": "/n", "schema": "k", "connections_max": 1}"#
                    .utf8))
        let context = ServiceContext(
            name: "dispatcher", settings: DispatcherSettings(keystore: keystore, hooksFile: "/nonexistent"),
            baseURL: "https://sos.example.org", loops: loops, database: database,
            peers: ["accounts": WorldAccounts.nobody], keys: serviceKeys, log: log)
        capabilities = Capabilities(
            context, keys: keys, hooks: Hooks([]), tls: nil, times: HandOverTimes(),
            journal: LocalJournal(WorldDisk(), on: NoThread(), cipher: cipher, log: log))
        let birth = CalendarDate(year: 1950, month: 3, day: 14)!
        identity = Accounts.Identity.Result(
            name: "Rosa", surname: "Bianchi",
            fiscalCode: try FiscalCode.make(
                surname: "Bianchi", name: "Rosa", birth: birth, sex: .female, place: BelfioreCode("F205")!),
            birthDate: birth, sex: .female)
        let person = IncidentDetails.Person(identity)
        let keys = keys
        people = (0..<World.peopleCount).map { number in
            let account = UUID(high: 0x77, low: UInt64(number))
            let key = SubjectKey.random()
            keys.know(key, of: account)
            let details = EnrolmentDetails(
                birthDate: birth, callbackPhone: PhoneNumber("+39021234567")!, contacts: [], conditions: [],
                medication: [], languages: ["it"], abortWindowSeconds: number % 8 == 7 ? 10 : 0)
            // Of every fourth accounts has not told who it is.
            let known = number % 4 == 0 ? nil : person
            let enrolled = Roster.Enrolled(
                version: 1, rules: RuleSet.standard.rawValue,
                details: PersonalColumn.enrolment.seal(packed: details, of: account, with: key),
                identity: known.map { PersonalColumn.identity.seal(packed: $0, of: account, with: key) })
            return Somebody(
                account: account, key: key, details: details, identity: known, enrolled: enrolled,
                wearer: Wearer(account: account, birthDate: birth, rules: .standard))
        }
    }

    private struct Quiet: LogSink {
        func write(_ line: [UInt8]) {}
    }

    private struct NoThread: JournalThread {
        func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async throws(IOError) -> T { work() }
        func shutdown() {}
    }
}
