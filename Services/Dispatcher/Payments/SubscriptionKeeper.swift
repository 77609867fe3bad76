import Contracts
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Makes invoices, warns of what follows when they are not paid, pauses watching then, and goes on with it once they are (PAY-01).
///
/// By the earlier of two clocks throughout: a clock that is set ahead pauses nobody. A warning counts once accounts has taken it, and
/// only of an invoice that can be paid.
struct SubscriptionKeeper: Sendable {
    private static let batchMax = 100
    private static let callTime = Duration.seconds(5)

    let store: SubscriptionStore
    let enrolments: EnrolmentStore
    let times: SubscriptionTimes
    let notices: NoticeOutbox
    let accounts: any RPCCaller
    let calls: SubscriptionCalls
    let clock: any WallClock
    let log: Log
    /// By invoice.
    let retries = Retries<UUID>()

    func task(pacing: any Pacing) -> BackgroundTask {
        .periodic("subscriptions", every: times.round, pacing: pacing) { try await look() }
    }

    /// One round of all of it. What fails of one person is logged, tried again with pauses, and holds up nobody else.
    func look() async throws {
        // First, and by itself: whoever has paid is watched.
        for invoice in try await store.toResume(resting: retries.resting, limit: Self.batchMax) {
            try await attempt(invoice) { try await resume(invoice) }
        }
        let now = try await store.database.certainTime(by: clock)
        if try await store.make(at: now, times, limit: Self.batchMax) > 0 { calls.wake() }
        for invoice in try await store.toWarn(at: now, times, resting: retries.resting, limit: Self.batchMax) {
            try await attempt(invoice) { try await warn(of: invoice, at: now) }
        }
        for invoice in try await store.toRemind(at: now, times, resting: retries.resting, limit: Self.batchMax) {
            try await attempt(invoice) { try await warnAgain(of: invoice, at: now) }
        }
        _ = try await store.renewPauses(times)
        for invoice in try await store.toPause(at: now, times, resting: retries.resting, limit: Self.batchMax) {
            try await attempt(invoice) { try await pause(invoice, at: now) }
        }
    }

    /// Goes on with watching of somebody who has paid. Without the person's key it is tried again; the pause is over by itself at last.
    func resume(_ invoice: Invoice) async throws {
        let now = clock.now()
        let told = try notices.insert([Notice(to: invoice.account, template: "sos-resumed")], at: now)
        if try await enrolments.resume(invoice.account, notice: told, at: now) { notices.wake() }
        try await store.resumed(invoice)
    }

    private func attempt(_ invoice: Invoice, _ body: () async throws -> Void) async throws {
        retries.begin(invoice.id)
        let isDone: Void? = try await reporting("a payment cannot be looked after", of: invoice.id, to: log, body)
        if isDone != nil { retries.succeeded(invoice.id) }
    }

    private func warn(of invoice: Invoice, at now: Timestamp) async throws {
        guard let payURL = invoice.payURL else { return }
        let pauseFrom = max(invoice.dueUntil, now + times.warning)
        try await tell(.pauseWarning(invoice, payURL: payURL, pauseFrom: pauseFrom, isLast: false))
        try await store.warned(invoice, at: now, pauseFrom: pauseFrom)
    }

    private func warnAgain(of invoice: Invoice, at now: Timestamp) async throws {
        guard let payURL = invoice.payURL, let pauseFrom = invoice.pauseFrom else { return }
        let named = max(pauseFrom, now + times.reminderMin)
        try await tell(.pauseWarning(invoice, payURL: payURL, pauseFrom: named, isLast: true))
        try await store.reminded(invoice, at: now)
    }

    /// Errors: those of the call. Accounts knows a repeat by its id.
    private func tell(_ notice: Notice) async throws(RPCError) {
        _ = try await accounts.call(
            Accounts.Notify.self,
            .init(
                id: notice.id, accountID: notice.account, template: notice.template, values: notice.values,
                email: notice.email), deadline: .after(Self.callTime))
    }

    private func pause(_ invoice: Invoice, at now: Timestamp) async throws {
        guard let payURL = invoice.payURL else { return }
        let told = try notices.insert([.pausedUnpaid(invoice, payURL: payURL)], at: clock.now())
        let isPaused = try await enrolments.pauseUnpaid(
            invoice, in: store, for: times.pause, notice: told, at: clock.now())
        if isPaused { notices.wake() }
    }
}
