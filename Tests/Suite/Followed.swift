import Contracts
import Domain
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Synchronization
import Testing

/// Somebody whom a third party follows, and a watch whose samples are numbered by their times: from an hour ago on, ten for
/// each second.
final class Followed: Sendable {
    let individual: Individual
    let device: Device
    let request: UUID
    private let began: Timestamp
    private let acknowledged: Mutex<[Timestamp]>

    fileprivate init(_ individual: Individual, _ device: Device, _ request: UUID, began: Timestamp, first: Timestamp) {
        (self.individual, self.device, self.request, self.began) = (individual, device, request, began)
        acknowledged = Mutex([first])
    }

    /// Of what ingestion has acknowledged, in that order.
    var times: [Timestamp] { acknowledged.withLock { $0 } }
    var count: Int { acknowledged.withLock { $0.count } }

    /// Uploads the next heart rate, again until it is acknowledged. One after the other.
    func upload() async throws {
        let number = count + 1
        let time = Self.time(number, from: began)
        try await device.api.uploadUntilAcknowledged(Self.heartRate(number, at: time), number: number)
        acknowledged.withLock { $0.append(time) }
    }

    func upload(_ count: Int) async throws { for _ in 0..<count { try await upload() } }

    private static func heartRate(_ number: Int, at time: Timestamp) -> SampleSeries {
        .heartRate(60 + Double(number % 40), at: time)
    }

    private static func time(_ number: Int, from began: Timestamp) -> Timestamp { began + .milliseconds(100 * number) }

    /// Whose request is accepted.
    fileprivate static func new(_ person: SimulatedPerson, by program: API, _ suite: RunningSuite) async throws
        -> Followed
    {
        let individual = try await suite.individual(person)
        let device = try await individual.pairDevice(name: "Watch", types: [.heartRate])
        let began = Timestamp.now().wholeMilliseconds - .seconds(3600)
        let first = time(1, from: began)
        // Requests are for what is there (REQ-03).
        try await device.api.uploadUntilAcknowledged(heartRate(1, at: first), number: 1)
        let request = try await follow(individual, by: program)
        return Followed(individual, device, request, began: began, first: first)
    }

    /// A request that the person accepts at once.
    static func follow(
        _ individual: Individual, by program: API, granularity: String? = nil
    ) async throws(SuiteError) -> UUID {
        let request = try await program.patient.createRequest(
            RequestForm(
                fiscalCode: individual.fiscalCode, dataTypes: [.heartRate], from: Timestamp(milliseconds: 0),
                to: .now().wholeMilliseconds + .seconds(86_400), mode: "subscription", reason: "A study",
                granularity: granularity)
        ).id
        try await individual.api.patient.decide("acceptance", on: request)
        return request
    }
}

extension RunningSuite {
    /// New people whom a third party's program follows.
    func followed(_ count: Int, by program: API, _ newcomers: inout Newcomers) async throws -> [Followed] {
        let people = (0..<count).map { _ in newcomers.person(birthYears: 1960...1990) }
        return try await withThrowingTaskGroup(of: Followed.self) { group in
            for person in people { group.addTask { try await .new(person, by: program, self) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Runs `body` while all watches upload, so many samples ahead of who reads at most; returns when all of it was read.
    func uploading(
        _ people: [Followed], into book: EventBook, ahead: Int = 50, _ body: () async throws -> Void
    ) async throws {
        let stop = EventCounter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people {
                group.addTask {
                    while stop.value == 0 {
                        try await person.upload()
                        try await book.reached(person.count - ahead, of: person.request)
                    }
                }
            }
            try await body()
            stop.raise()
            try await group.waitForAll()
        }
        for person in people { try await book.reached(person.count, of: person.request) }
    }

    /// The suite as it is seen through another replica of a service. To be closed by the test.
    func client(through replica: ServiceProgram) throws -> Suite {
        var configuration = client.configuration
        configuration.public[replica.name] = "http://127.0.0.1:\(replica.httpPort)"
        return try Suite(configuration, loops: loops)
    }
}
