import Contracts
import Domain
import HTTP
import JSON
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import Security
import SimulatedPeople
import SuiteClient

/// The services accounts, ingestion and dispatcher, people whom AutomatedSOS watches, and an ambulance service.
///
/// People are provisioned, and enrol by the API. Their tokens are made with the deployment's key, as accounts makes them. They name no
/// emergency contacts: contacts are told by a queue of their own, behind the ambulance.
struct SOSBed: Sendable {
    private static let workers = 24
    private static let callMax = Duration.seconds(60)
    private static let watchedMax = Duration.seconds(120)
    /// First uploads are sent again to whom no monitor has seen, so often.
    private static let tries = 5
    private static let seenMax = Duration.seconds(20)
    private static let connections = 64

    let services: ServicesBed
    let ingestion: IngestionBed
    /// Those who are watched.
    let people: [(account: UUID, device: UUID)]
    private let events: String

    var dispatcher: Database { services.database(of: .dispatcher) }

    /// - `apart`: services whose PostgreSQL is another one.
    static func with<R: Sendable>(
        people count: Int, apart: Set<ServiceName> = [], _ body: @escaping @Sendable (SOSBed) async throws -> R
    ) async throws -> R {
        let port = try Ports.free()
        return try await ServicesBed.with(
            [.accounts, .ingestion, .dispatcher],
            hooks: { directory in
                let secret = try directory.write("hook.secret", WebhookSecret.random().text)
                return """
                    {"hooks": [{"name": "ambulance", "url": "\(AmbulanceServer.url(port: port))", "area": null,
                      "secret_file": "\(secret)", "allow_private": true}]}
                    """
            }, apart: apart
        ) { services in
            let events = services.directory.file("ambulance.events")
            let ambulance = try Child(
                Programs.own,
                AmbulanceServer.arguments(port: port, secret: services.directory.file("hook.secret"), file: events),
                on: .both)
            Side.both.pin()
            _ = try ambulance.port()
            // It has to be there until the end.
            defer { ambulance.end() }
            let bed = SOSBed(
                services: services, ingestion: IngestionBed(bed: services, key: try services.key),
                people: try await services.provision(provisions(count)), events: events)
            try await bed.enrol()
            try await bed.waitUntilWatched()
            try await ServiceTimes.waitForQuiet(services)
            return try await body(bed)
        }
    }

    /// With a device that measures what a watch does, and the position.
    private static func provisions(_ count: Int) -> [Accounts.Provision.Person] {
        Population(count: count).people.map { person in
            var provision = person.provision
            provision.dataTypes = SimulatedWearer.vitals + [.position]
            return provision
        }
    }

    // MARK: Being watched

    /// The call-back number tells who it is in what the ambulance service gets.
    private static func phone(_ person: Int) throws -> PhoneNumber {
        let digits = "\(person)"
        return try PhoneNumber(validating: "+39022" + String(repeating: "0", count: 7 - digits.count) + digits)
    }

    /// The person with this call-back number.
    static func person(calledBackAt phone: String) -> Int? {
        phone.hasPrefix("+39022") ? Int(phone.dropFirst(6)) : nil
    }

    private func enrol() async throws {
        guard let loop = EventLoop.current,
            let url = HTTPURL("http://\(LoadBed.host):\(services[.dispatcher].httpPort)/dispatcher/v1/enrolment")
        else { throw BenchError.failed("outside an event loop") }
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        configuration.connectionsPerOriginMax = Self.workers
        let http = HTTPClient(on: loop, configuration: configuration)
        defer { http.close() }
        let tokens = try AccessTokens(key: ingestion.key)
        let began = Deadline.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    for person in stride(from: worker, to: people.count, by: Self.workers) {
                        let token = try tokens.owner(.individual, of: people[person].account, session: .random())
                        let form = EnrolmentForm(
                            clausesVersion: Dispatcher.clausesVersion, callbackPhone: try Self.phone(person),
                            contacts: [])
                        let answer = try await http.send(
                            try .json(.put, url, fields: ["Authorization": "Bearer \(token)"], form),
                            deadline: .after(Self.callMax))
                        guard answer.status == .created else {
                            throw BenchError.failed("an enrolment: \(answer.status) \(answer.text.prefix(400))")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        emit("      \(people.count) people have enrolled in \(rounded(seconds(since: began))) s")
    }

    /// Returns when ingestion passes on what these people send and a monitor has seen each of them.
    private func waitUntilWatched() async throws {
        let count = people.count
        try await wait("ingestion watches all who have enrolled", within: Self.watchedMax) {
            try await services.database(of: .ingestion).queryOne(
                "select count(*) from watch where is_watched", as: Int.self) == count
        }
        try await wait("the dispatcher follows the live feed", within: Self.watchedMax) {
            try await dispatcher.queryOne(
                """
                select count(*) > 0 and bool_and(epoch <> '' and not is_snapshot) from feed_cursor
                where feed = \(Ingestion.liveFeed)
                """, as: Bool.self) == true
        }
        guard let mark = try await dispatcher.queryOne("select clock_timestamp()", as: Timestamp.self) else {
            throw BenchError.failed("PostgreSQL tells no time")
        }
        var (seen, answers) = (0, "")
        for _ in 0..<Self.tries {
            let result = try await uploadOnce()
            answers = "\(result.good) taken, \(result.refused) refused: \(result.example)"
            let deadline = Deadline.after(Self.seenMax)
            while !deadline.hasPassed {
                seen =
                    try await dispatcher.queryOne(
                        "select count(*) from monitor where last_vital_at > \(mark)", as: Int.self) ?? 0
                if seen >= count { return }
                try await EventLoop.current?.sleep(for: .milliseconds(200))
            }
        }
        throw BenchError.failed("monitors have seen \(seen) of \(count) people; uploads: \(answers)")
    }

    /// One upload by everybody, of somebody who is well.
    private func uploadOnce() async throws -> LoadResult {
        let people = people
        return try await ingestion.load { bed in
            let source = UploadSource(
                .live, of: people.indices, tokens: try bed.tokens(of: people), host: bed.authority)
            return try bed.runner(source, connections: Self.connections).run(.closed, for: .requests(people.count))
        }
    }

    // MARK: What happened

    /// What the ambulance service has noted since a time of the monotonic clock.
    func events(since time: Int64) throws -> [AmbulanceEvent] {
        try services.directory.read("ambulance.events").split(separator: "\n").compactMap { AmbulanceEvent(line: $0) }
            .filter { $0.at >= time }
    }

    /// Errors: `what` did not come true in time.
    func wait(_ what: String, within time: Duration, until holds: () async throws -> Bool) async throws {
        let deadline = Deadline.after(time)
        while try await !holds() {
            guard !deadline.hasPassed else { throw BenchError.failed("not within \(time): \(what)") }
            try await EventLoop.current?.sleep(for: .milliseconds(200))
        }
    }
}

extension LoadBed {
    /// Of the devices of people that there are.
    func tokens(of people: [(account: UUID, device: UUID)]) throws -> DeviceTokens {
        let tokens = try DeviceTokens(of: people, key: key)
        try tokens.makeAll()
        return tokens
    }
}
