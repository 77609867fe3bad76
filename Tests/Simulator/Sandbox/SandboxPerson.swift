import Contracts
import Domain
import Glibc
import HTTP
import LoadGenerator
import Primitives
import Reactor
import Security
import SuiteClient

/// One of the people of the sandbox. From any thread.
final class SandboxPerson: Sendable {
    /// Steps on a person's requests before the list is read again with a pause.
    private static let stepsMax = 100
    /// Around Piazza del Duomo, in metres and metres a second.
    private static let (radius, speed) = (150.0, 1.4)
    private static let middle = (latitude: 45.4642, longitude: 9.1900)

    let role: SandboxRole
    private let person: SimulatedPerson
    private let account: UUID
    /// The one that the person has logged in to: accounts looks whether it is open.
    private let session: UUID
    /// What was not measured while the suite stood still, a day each.
    private let missing: [[SampleSeries]]
    private let watch: LiveDevice
    private let tokens: AccessTokens
    private let suite: Suite

    init(
        role: SandboxRole, _ person: SimulatedPerson, account: UUID, session: UUID, missing: [[SampleSeries]],
        watch: LiveDevice, tokens: AccessTokens, suite: Suite
    ) {
        self.role = role
        self.person = person
        self.account = account
        self.session = session
        self.missing = missing
        self.watch = watch
        self.tokens = tokens
        self.suite = suite
    }

    private var name: String { "\(person.name) \(person.surname) of the sandbox" }

    private func api() throws(SuiteError) -> API {
        do throws(SecurityError) {
            return API(suite, token: try tokens.owner(.individual, of: account, session: session))
        } catch { throw .local("A person's token cannot be made: \(error).") }
    }

    // MARK: Requests

    /// Answers requests as they come to the inbox. Ends when the task is cancelled.
    func answer() async throws(SuiteError) {
        let outage = Outage("Answers of \(name)")
        while true {
            do throws(SuiteError) {
                try await followInbox()
                outage.succeeded()
            } catch { try await pause(for: outage.failed(error)) }
        }
    }

    /// Until the stream ends, as it does in time before the token. Errors: `unreachable` when nothing came of it.
    private func followInbox() async throws(SuiteError) {
        let api = try api()
        let inbox = try api.inboxEvents()
        defer { inbox.stop() }
        var (seen, due) = (0, Deadline.never)
        repeat {
            let count = await inbox.news(after: seen, until: due)
            // It comes at the beginning and after each message.
            let isNew = inbox.events[seen..<count].contains { $0.name == "unread" }
            seen = count
            if isNew || due.hasPassed { due = try await answerAll(api) }
        } while inbox.end == nil && !Task.isCancelled
        guard seen > 0 else { throw .unreachable(call: "GET /inbox/events", reason: inbox.end ?? "cancelled") }
    }

    /// Does what it is time for. When there is more to do.
    private func answerAll(_ api: API) async throws(SuiteError) -> Deadline {
        for _ in 0..<Self.stepsMax {
            let now = Timestamp.now()
            let steps = try await api.receivedRequests().compactMap { request in
                role.step(on: request).map { (request.id, $0.step, $0.at) }
            }
            let due = steps.filter { $0.2 <= now }
            for (id, step, _) in due { try await take(step, on: id, api) }
            if due.isEmpty { return steps.map(\.2).min().map { .after($0 - now) } ?? .never }
        }
        return .after(.seconds(1))
    }

    private func take(_ step: SandboxRole.Step, on id: UUID, _ api: API) async throws(SuiteError) {
        do throws(SuiteError) {
            switch step {
            case .accept(let types): try await api.accept(id, only: types)
            case .refuse: try await api.decide("refusal", on: id)
            case .withdraw: try await api.decide("withdrawal", on: id)
            }
            Output.event("\(name) has answered \(id): \(step)")
        } catch {
            // The third party has ended it meanwhile.
            guard case .refused(_, .conflict, _, _) = error else { throw error }
        }
    }

    // MARK: Data

    /// Sends what was not measured while the suite stood still, so that there are always two days of data. Ends once that is stored.
    func makeGood() async throws(SuiteError) {
        let outage = Outage("What \(name) has measured before")
        var rest = missing[...]
        while let day = rest.first {
            do throws(SuiteError) {
                try await watch.upload(day, to: suite)
                outage.succeeded()
                rest.removeFirst()
            } catch {
                let wait = outage.failed(error)
                if error.isOutage {
                    try await pause(for: wait)
                } else {
                    // It would be refused again, and nobody waits for it.
                    rest.removeFirst()
                }
            }
        }
    }

    /// Sends what the watch measures. Ends when the task is cancelled.
    func measure() async throws(SuiteError) {
        let outage = Outage("Uploads of \(name)")
        while true {
            do throws(SuiteError) {
                try await watch.upload(measured(at: .now()), to: suite)
                outage.succeeded()
                try await pause(for: role.interval)
            } catch { try await pause(for: outage.failed(error)) }
        }
    }

    func measured(at now: Timestamp) -> [SampleSeries] {
        let seconds = Double(now.milliseconds) / 1000
        let rate = (person.restingHeartRate + 12 + 8 * sin(seconds / 40)).rounded()
        guard role == .walks else { return [.heartRate(rate, at: now)] }
        let angle = seconds * Self.speed / Self.radius
        let metresPerDegree = Coordinate.earthRadius * .pi / 180
        let place = Coordinate(
            latitude: Self.middle.latitude + Self.radius * sin(angle) / metresPerDegree,
            longitude: Self.middle.longitude
                + Self.radius * cos(angle) / (metresPerDegree * cos(Self.middle.latitude * .pi / 180)))
        return [.heartRate(rate, at: now)] + (place.map { [.position($0, at: now, accuracy: 5)] } ?? [])
    }

    /// Pauses the collection and goes on with it, by the clock. Ends at once for those who never do.
    func pauseInTurns() async throws(SuiteError) {
        guard role == .pauses else { return }
        let outage = Outage("Pauses of \(name)")
        while true {
            let now = Timestamp.now()
            do throws(SuiteError) {
                try await api().pauseHealthData(role.isPaused(at: now))
                outage.succeeded()
                try await pause(for: now.floored(to: SandboxRole.turn) + SandboxRole.turn - .now())
            } catch { try await pause(for: outage.failed(error)) }
        }
    }
}
