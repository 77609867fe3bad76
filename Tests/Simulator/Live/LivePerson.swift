import Contracts
import Domain
import LoadGenerator
import Primitives
import Security
import SimulatedPeople
import SuiteClient
import Synchronization

/// One of the people who live while the suite runs. From any thread.
final class LivePerson: Sendable {
    /// The number in the population.
    let index: Int
    let person: SimulatedPerson
    let account: UUID
    private let watch: LiveDevice?
    private let phone: LiveDevice?
    private let tokens: AccessTokens
    private let state: Mutex<State>

    private struct State {
        var days: MeasuredDays
        /// Then the devices measure the run.
        var isRacing = false
        var isGone = false
    }

    /// Of somebody with one device this is watch and phone.
    init(
        _ person: SimulatedPerson, _ index: Int, account: UUID, watch: LiveDevice?, phone: LiveDevice?,
        tokens: AccessTokens, days: MeasuredDays
    ) {
        self.index = index
        self.person = person
        self.account = account
        self.watch = watch
        self.phone = phone
        self.tokens = tokens
        state = Mutex(State(days: days))
    }

    var name: String { "\(person.name) \(person.surname)" }

    /// The API as this person uses it. Errors: `local`.
    func api(_ suite: Suite) throws(SuiteError) -> API {
        do throws(SecurityError) {
            return API(suite, token: try tokens.owner(.individual, of: account, session: account))
        } catch { throw .local("A person's token cannot be made: \(error).") }
    }

    /// Sends what the devices have measured and not sent. Errors: `refused`, `unreachable`; then it is sent with what comes later.
    func send(to suite: Suite, at now: Timestamp = .now()) async throws(SuiteError) {
        let measured = state.withLock { state in
            state.isRacing || state.isGone ? nil : state.days.measured(before: now)
        }
        guard let measured else { return }
        try await send(watch: measured.watch, phone: measured.phone, to: suite)
        state.withLock { $0.days.sent(before: now) }
    }

    /// The watch first: who counts the same and came first is the one that is counted.
    func send(watch series: [SampleSeries], phone other: [SampleSeries], to suite: Suite) async throws(SuiteError) {
        if watch === phone {
            try await watch?.upload(series + other, to: suite)
        } else {
            try await watch?.upload(series, to: suite)
            try await phone?.upload(other, to: suite)
        }
    }

    /// `false` for somebody who is in another run.
    func beginRace() -> Bool {
        state.withLock { state in
            guard !state.isRacing else { return false }
            state.isRacing = true
            return true
        }
    }

    func endRace(at now: Timestamp = .now()) {
        state.withLock { state in
            state.isRacing = false
            state.days.sent(before: now)
        }
    }

    /// Nothing is sent any more: the account or the devices are not there any more.
    func leave() { state.withLock { $0.isGone = true } }
    var isGone: Bool { state.withLock { $0.isGone } }
}
