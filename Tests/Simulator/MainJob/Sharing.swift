import Contracts
import Domain
import Primitives
import Reactor
import SuiteClient

/// Step 3: a third party asks, the person accepts, data flows, the person withdraws, nothing flows (REQ-01 to REQ-11, SUB-02).
struct Sharing {
    private static let notificationMax: Duration = .seconds(10)
    /// NFR-02: data of a subscribed person.
    private static let updateMax: Duration = .seconds(1)
    private static let withdrawalMax: Duration = .seconds(1)

    let person: Individual
    let thirdParty: Company
    let mailbox: Mailbox
    let collected: Collection.Collected

    func run() async throws(SuiteError) {
        let step = Step(3, "A request for one person's data")
        let program = try await thirdParty.program(name: "Main job", scopes: ["requests", "groups"])
        let request = try await ask(program, step)
        try await see(request, step)
        try await expectRefusal("consent-pending", "Data could be read before the person had accepted.") {
            () throws(SuiteError) in
            _ = try await program.data(of: request)
        }
        try await person.api.decide("acceptance", on: request)
        let cursor = try await readPast(program, request, step)
        let stream = try program.stream(of: request, after: cursor)
        try await receiveNext(program, request, after: cursor, stream, step)
        try await download(program, request, step)
        try await withdraw(program, request, after: cursor, stream, step)
    }

    private func ask(_ program: API, _ step: Step) async throws(SuiteError) -> UUID {
        let now = Timestamp.now()
        let form = RequestForm(
            fiscalCode: person.fiscalCode, dataTypes: [.heartRate, .position],
            from: Timestamp(milliseconds: 946_684_800_000), to: now + .seconds(7 * 86_400), mode: "subscription",
            reason: "A study of the heart while running")
        let created = try await program.createRequest(form)
        try expect(created.state == "pending", "A new request is \(created.state), not pending.")
        step.say("asked for heart rate and position of \(person.fiscalCode), as a subscription: \(created.state)")
        return created.id
    }

    /// REQ-04.
    private func see(_ request: UUID, _ step: Step) async throws(SuiteError) {
        let watch = Stopwatch()
        let message = try await eventually("The request did not reach the person's inbox", within: Self.notificationMax)
        {
            () throws(SuiteError) in
            try await person.api.inbox().first { $0.text.contains(thirdParty.name) }
        }
        let elapsed = watch.elapsed
        let received = try await person.api.receivedRequests().first { $0.id == request }
        let view = try unwrap(received, "The person does not see the request.")
        try expect(
            view.state == "pending" && view.requester.name == thirdParty.name,
            "The person sees the request as \(view.state), from \(view.requester.name).")
        _ = try await eventually("The request did not come by mail", within: Self.notificationMax - elapsed) {
            () throws(SuiteError) in
            try mailbox.mails(to: person.email).first { $0.text.contains(thirdParty.name) }
        }
        step.say(
            "in the person's inbox after \(elapsed.brief), by mail after \(watch.elapsed.brief): “\(message.subject)”")
    }

    /// REQ-08. Returns the cursor behind what was there.
    private func readPast(_ program: API, _ request: UUID, _ step: Step) async throws(SuiteError) -> String {
        let watch = Stopwatch()
        var (heartRates, positions, pages) = (0, 0, 0)
        var cursor: String?
        while true {
            let page = try await program.data(of: request, after: cursor)
            heartRates += page.count(.heartRate)
            positions += page.count(.position)
            pages += 1
            cursor = page.next
            guard page.hasMore else { break }
        }
        try expect(
            heartRates == collected.heartRates && positions == collected.positions,
            "Accepted; but there are \(heartRates) heart rates and \(positions) positions of \(collected.heartRates) "
                + "and \(collected.positions).")
        step.say(
            "accepted: all \(heartRates) heart rates and \(positions) positions of the past in \(pages) pages, "
                + watch.elapsed.brief)
        return cursor ?? "0"
    }

    /// The next upload comes to who polls and to who streams.
    private func receiveNext(
        _ program: API, _ request: UUID, after cursor: String, _ stream: EventStream, _ step: Step
    ) async throws(SuiteError) {
        let loop = EventLoop.current
        let poll = loop?.throwingTask { try await program.data(of: request, after: cursor, wait: .seconds(10)) }
        let watch = Stopwatch()
        try await collected.device.upload([.heartRate(131)])
        let streamed = try await stream.first(within: Self.updateMax, "An update on the stream") {
            $0.name == "data.samples"
        }
        let elapsed = watch.elapsed
        try expect(streamed.event.data.contains("131"), "The stream brought something else than the last upload.")
        let page: DataPage?
        do { page = try await poll?.value } catch { throw .unexpected("The waiting poll failed: \(error)") }
        try expect(page?.count(.heartRate) == 1, "The waiting poll did not bring the upload.")
        step.say(
            "the next upload was on the stream \(elapsed.brief) after the device began to send it, and in the waiting poll"
        )
    }

    private func download(_ program: API, _ request: UUID, _ step: Step) async throws(SuiteError) {
        let lines = try await program.csv(of: request).split(whereSeparator: \.isNewline)
        let expected = collected.heartRates + collected.positions + 1
        try expect(
            lines.first == "type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset"
                && lines.count == expected + 1,
            "The CSV has \(lines.count) lines and begins with “\((lines.first ?? "").prefix(100))”; expected were \(expected + 1)."
        )
        step.say("CSV: \(lines.count - 1) samples below the header")
    }

    /// REQ-10, REQ-11.
    private func withdraw(
        _ program: API, _ request: UUID, after cursor: String, _ stream: EventStream, _ step: Step
    ) async throws(SuiteError) {
        let latest = try await program.data(of: request, after: cursor).next
        let loop = EventLoop.current
        let poll = loop?.throwingTask { try await program.data(of: request, after: latest, wait: .seconds(10)) }
        try await person.api.decide("withdrawal", on: request)
        let watch = Stopwatch()
        try await expectRefusal("consent-withdrawn", "A poll that waited over the withdrawal was answered.") {
            () throws(SuiteError) in
            do { _ = try await poll?.value } catch {
                throw error as? SuiteError ?? .unexpected("The waiting poll failed: \(error)")
            }
        }
        try expect(watch.elapsed <= Self.withdrawalMax, "The waiting poll ended \(watch.elapsed.brief) after it.")
        let before = stream.events.count
        try await collected.device.upload([.heartRate(140)])
        for way in ["page", "csv"] {
            try await expectRefusal("consent-withdrawn", "After the withdrawal data came as \(way).") {
                () throws(SuiteError) in
                if way == "csv" {
                    _ = try await program.csv(of: request)
                } else {
                    _ = try await program.data(of: request, after: cursor)
                }
            }
        }
        let end = try await stream.waitForEnd(within: Self.withdrawalMax)
        let elapsed = watch.elapsed
        let again = try program.stream(of: request, after: cursor)
        let refusal = try await again.waitForEnd(within: Self.withdrawalMax)
        try expect(
            refusal.hasPrefix("was answered with 4") && again.events.isEmpty,
            "After the withdrawal a new stream \(refusal), with \(again.events.count) events.")
        try expect(stream.events.count == before, "After the withdrawal the stream brought samples.")
        let reads = try await person.api.accessLog().filter { $0.requestID == request }
        try expect(!reads.isEmpty, "The person's log of who received what is empty.")
        step.say(
            "withdrawn: pages, a waiting poll, CSV and a new stream are refused at once, the open stream \(end) within \(elapsed.brief)"
        )
        let ways = Set(reads.map(\.way)).sorted().joined(separator: ", ")
        step.say(
            "the person's log shows \(reads.count) deliveries (\(ways)) of \(reads.reduce(0) { $0 + $1.samples }) samples"
        )
    }
}

/// Throws `unexpected` with the sentence when the call is not refused, and its error when it is for another reason.
func expectRefusal(
    _ code: String, _ sentence: String, _ call: () async throws(SuiteError) -> Void
) async throws(SuiteError) {
    do throws(SuiteError) { try await call() } catch {
        guard error.code == code else { throw error }
        return
    }
    throw .unexpected(sentence)
}
