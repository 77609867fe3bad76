import Contracts
import Domain
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

/// Somebody whom AutomatedSOS watches, with a band.
struct Patient: Sendable {
    private static let home = Coordinate(latitude: 45.4642, longitude: 9.19)

    let individual: Individual
    let device: Device

    var fiscalCode: String { individual.fiscalCode.description }

    /// A reading of somebody who is well, of before the readings of a collapse that follows at once.
    func isWell() async throws {
        try await device.upload([
            .init(
                type: .heartRate, start: (Timestamp.now() - .seconds(6)).wholeMilliseconds, offsets: [0], values: [72])
        ])
    }

    /// Five low readings in as many seconds, the last just now, in one upload.
    func collapse() async throws {
        let home = try #require(Self.home)
        let now = Timestamp.now().wholeMilliseconds
        let offsets = (0..<5).map { Int64($0) * 1000 }
        try await device.upload([
            .init(type: .heartRate, start: now - .seconds(4), offsets: offsets, values: offsets.map { _ in 32 }),
            .position(home, at: now, accuracy: 8),
        ])
    }

    /// Low readings, one a second for five seconds, each sent when it is measured. Returns when the first one was.
    func collapsesLive() async throws -> Timestamp {
        let readings = try await collapse { reading, number in
            let receipt = try await device.send([reading], number: number)
            #expect(receipt.stored == 1)
        }
        return try #require(readings.first).series.start
    }

    /// The same where nothing can be stored, which the device is told. Returns what it has to send again.
    func collapsesUnstored() async throws -> [(series: SampleSeries, number: Int)] {
        try await collapse { reading, number in
            await #expect(throws: SuiteError.self) { try await device.send([reading], number: number) }
        }
    }

    /// Whoever waits for an answer sends the next reading all the same.
    private func collapse(
        _ send: @escaping @Sendable (SampleSeries, Int) async throws -> Void
    ) async throws -> [(series: SampleSeries, number: Int)] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var readings: [(series: SampleSeries, number: Int)] = []
            for second in 0...5 {
                if second > 0 { try await EventLoop.current?.sleep(for: .seconds(1)) }
                let (reading, number) = (SampleSeries.heartRate(32), device.nextNumber())
                readings.append((reading, number))
                group.addTask { try await send(reading, number) }
            }
            try await group.waitForAll()
            return readings
        }
    }

    /// The person sees one incident, in this state.
    func incident(becomes state: String) async throws {
        try await eventually("the incident is \(state)") {
            try await individual.api.incidents().map(\.state) == [state]
        }
    }
}

extension RunningSuite {
    /// New people whom ingestion, whose data may be in another PostgreSQL, watches for the dispatcher, which follows the live
    /// feed.
    func patients(_ count: Int, ingestionIn other: PrivateCluster? = nil) async throws -> [Patient] {
        var newcomers = Newcomers()
        let people = (0..<count).map { _ in newcomers.person(birthYears: 1940...1955) }
        let phone = try #require(PhoneNumber("+390212345678"))
        let patients = try await withThrowingTaskGroup(of: Patient.self) { group in
            for person in people {
                group.addTask {
                    let individual = try await self.individual(person)
                    let device = try await individual.pairDevice(name: "Band", types: [.position, .heartRate])
                    try await individual.api.patient.enrol(
                        EnrolmentForm(
                            clausesVersion: API.termsVersion, callbackPhone: phone,
                            contacts: [.init(name: "A daughter", phone: phone, email: individual.email)]))
                    return Patient(individual: individual, device: device)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await eventually("ingestion watches all") {
            try await self.stored(
                .ingestion, "select count(*) = \(Int64(count)) from watch where is_watched", in: other)
        }
        try await eventually("the live feed is followed") { try await self.followsLive(.dispatcher) }
        return patients
    }

    /// An ambulance service accepts what it was called about.
    func accept(_ call: WebhookReceiver.Call) async throws {
        let reply = call.body["reply"]
        let url = try #require(reply?["acceptance_url"]?.text)
        let name = try #require(reply?["hook"]?.text)
        let token = try #require(reply?["token"]?.text)
        try await API(client).post(
            ["hook": name, "token": token, "decision": "accepted"], to: url, signedWith: hook.secret)
    }
}

extension WebhookReceiver {
    /// The first call about this person.
    @discardableResult
    func call(about patient: Patient) async throws -> Call {
        let code = patient.fiscalCode
        return try await first(within: .patience, "The ambulance service's call") { $0.fiscalCode == code }
    }
}

extension WebhookReceiver.Call {
    var fiscalCode: String? { body["person"]?["fiscal_code"]?.text }
}
