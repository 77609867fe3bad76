import Contracts
import Domain
import JSON
import Primitives
import SuiteClient

/// Step 5: a heart rate below the threshold for more than 3 s brings a signed incident with the position; a single wrong
/// reading brings nothing (SOS-01 to SOS-07, SOS-13).
struct Emergency {
    /// SOS-04: a shorter time below the threshold is none.
    private static let criticalMin: Duration = .seconds(3)
    /// SOS-05: from the first critical measurement to the hand-over.
    private static let handOverMax: Duration = .seconds(5)
    private static let interval: Duration = .milliseconds(500)
    private static let criticalRate = 32.0
    /// Uploads of the emergency at most: well beyond the 5 s.
    private static let criticalCount = 20
    private static let stateMax: Duration = .seconds(5)

    let cast: Cast

    func run(_ newcomers: inout Newcomers) async throws(SuiteError) {
        let step = Step(5, "An emergency")
        let hook = try unwrap(
            cast.suite.configuration.hook, "simulator.json names no hook to play the ambulance service at.")
        let ambulance = try await AmbulanceService.start(hook, loops: cast.suite.loops)
        do throws(SuiteError) {
            try await run(&newcomers, ambulance, step)
        } catch {
            await ambulance.stop()
            throw error
        }
        await ambulance.stop()
    }

    private func run(
        _ newcomers: inout Newcomers, _ ambulance: AmbulanceService, _ step: Step
    ) async throws(SuiteError) {
        let person = newcomers.person(birthYears: 1940...1955)
        let individual = try await cast.individual(person)
        let device = try await individual.pairDevice(name: "Wrist band", types: [.position, .heartRate])
        try await individual.api.enrol(try Self.enrolment(of: person))
        step.say("\(individual.name), born \(person.birthDate), has enrolled")
        let home = try unwrap(
            Coordinate(latitude: 45.4642, longitude: 9.19), "The cathedral of Milan is not on the Earth.")
        try await device.upload([.position(home, accuracy: 8)])

        for rate in [72.0, 71, 25, 73, 72] {
            try await device.upload([.heartRate(rate)])
            try await pause(for: Self.interval)
        }
        let began = Timestamp.now()
        let call = try await collapse(device, home, ambulance)
        let elapsed = call.arrived - began
        try check(call, began: began, person: person, home: home)
        step.say(
            "below the threshold for 3 s: the ambulance service has the signed incident \(elapsed.brief) after the first low reading"
        )
        try expect(
            elapsed >= Self.criticalMin, "The ambulance service was called after \(elapsed.brief) below the threshold.")
        try expect(elapsed <= Self.handOverMax, "The hand-over took \(elapsed.brief).")
        let incident = try unwrap(call.body["incident"]?["id"]?.text.flatMap { UUID($0) }, "The incident has no id.")
        // Samples of one person are judged in their order: had the single wrong reading counted, its incident would be
        // here too, and before this one.
        let strangers = ambulance.calls.filter { $0.body["incident"]?["id"]?.text != incident.description }
        try expect(strangers.isEmpty, "The single wrong reading of 25 brought an incident.")
        let mine = try await individual.api.incidents()
        try expect(mine.map(\.id) == [incident], "The person sees \(mine.count) incidents instead of one.")
        step.say("a single reading of 25 before it had brought nothing; position and person are right")

        try await ambulance.accept(call, by: cast.api)
        let state = try await eventually("The person does not see that help is coming", within: Self.stateMax) {
            () throws(SuiteError) in
            try await individual.api.incidents().first { $0.state == "acknowledged" || $0.state == "closed" }?.state
        }
        step.say("accepted by a signed call back; the person sees it as \(state)")
        try await individual.api.endEnrolment()
    }

    /// Uploads critical heart rates, as a device of somebody enrolled does, until the ambulance service is called.
    private func collapse(
        _ device: Device, _ home: Coordinate, _ ambulance: AmbulanceService
    ) async throws(SuiteError) -> WebhookReceiver.Call {
        for _ in 0..<Self.criticalCount {
            let now = Timestamp.now()
            try await device.upload([.heartRate(Self.criticalRate, at: now), .position(home, at: now, accuracy: 8)])
            if let call = ambulance.calls.first { return call }
            try await pause(for: Self.interval)
        }
        throw .unexpected(
            "No incident reached the ambulance service in \(Self.criticalCount / 2) s of a heart rate of "
                + "\(Self.criticalRate) (\(ambulance.refusedCount) calls with a wrong signature).")
    }

    /// SOS-06.
    private func check(
        _ call: WebhookReceiver.Call, began: Timestamp, person: SimulatedPerson, home: Coordinate
    ) throws(SuiteError) {
        let (incident, position) = (call.body["incident"], call.body["position"])
        try expect(incident?["message"]?.text == "alert", "The first message is no alert.")
        try expect(incident?["mode"]?.text == "actual", "The incident is not marked as an actual one.")
        let first = try unwrap(
            incident?["first_critical"]?.text.flatMap { Timestamp($0) }, "The incident has no time of its first sample."
        )
        // The database's clock, by which the time is told, may be a moment beside this one's; the wrong reading was three
        // intervals before.
        try expect(
            first >= began - Self.interval,
            "The incident began at \(first), with the single wrong reading, and not at \(began).")
        guard let latitude = position?["latitude"]?.number, let longitude = position?["longitude"]?.number,
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .unexpected("The incident has no position.") }
        try expect(place.distance(to: home) < 1, "The position is \(Int(place.distance(to: home))) m off.")
        try expect(position?["is_current"] == .bool(true), "The position is not marked as current.")
        try expect(
            call.body["person"]?["callback_phone"]?.text == Self.phone, "The incident has no number to call back.")
        if let code = call.body["person"]?["fiscal_code"]?.text {
            try expect(code == person.fiscalCode.description, "The incident is about somebody else.")
        }
        let rates = call.body["vitals"]?.elements.filter { $0["type"]?.text == "heart-rate" } ?? []
        try expect(rates.first?["value"]?.number == Self.criticalRate, "The incident does not say the heart rate.")
    }

    private static let phone = "+390212345678"

    private static func enrolment(of person: SimulatedPerson) throws(SuiteError) -> EnrolmentForm {
        guard let callback = PhoneNumber(phone), let contact = PhoneNumber("+393331234567"),
            let email = EmailAddress("family.\(person.email)")
        else { throw .local("The numbers and addresses of the enrolment are not valid.") }
        return EnrolmentForm(
            clausesVersion: API.termsVersion, callbackPhone: callback,
            contacts: [.init(name: "A daughter", phone: contact, email: email)], conditions: "Atrial fibrillation",
            medication: "Anticoagulant", address: .init(street: "Via Dante 3", postalCode: "20121", city: "Milano"),
            addressNotes: "Third floor, no lift")
    }
}
