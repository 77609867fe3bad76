import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Service

/// Erases what AutomatedSOS has of a person (ACC-12): nobody is watched any more, and the contacts are gone. What happened in an
/// emergency stays for the deployment's retention, restricted. An emergency that is under way is brought to its end first.
struct SOSErasure: ErasurePart {
    let enrolments: EnrolmentStore
    let incidents: IncidentStore
    let roster: Roster
    let wearers: WearerTeller
    let keptDays: Int
    let invoiceDays: Int
    let clock: any WallClock
    let log: Log

    /// Monitors before gaps, in the order of accounts, as who follows the live feed does.
    func lock(_ erasures: [Accounts.Erasure], in transaction: Transaction) async throws {
        let accounts = erasures.filter { $0.scope == .account }.map(\.accountID)
        guard !accounts.isEmpty else { return }
        try await transaction.execute(
            "select from monitor where account = any(\(accounts)) order by account for update")
    }

    func erase(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws -> [Accounts.ErasedItem] {
        guard erasure.scope == .account else { return [] }
        let account = erasure.accountID
        let wasEnrolled = try await enrolments.erase(account, in: transaction)
        try await wearers.forget(account, in: transaction)
        let counts = try await transaction.batch([
            "delete from notice where account = \(account)", GapStore.end(of: account),
            "delete from run_watch where account = \(account)", WatchChange.end(of: account),
        ])
        try await transaction.batch(
            ContactStore.erasing(account)
                + SubscriptionStore.ending(account, at: try await transaction.certainTime(by: clock)))
        let kept = try await transaction.queryOne(
            "select count(*), max(opened_at) from incident where account = \(account)", as: Int.self, Timestamp?.self)
        var items = [
            Accounts.ErasedItem("sos-enrolment", wasEnrolled ? 1 : 0), Accounts.ErasedItem("messages", counts[0]),
        ]
        if let (count, last) = kept, let last {
            items.append(
                .init(
                    "incidents", count, keptUntil: (last + .seconds(86_400 * Int64(keptDays))).dateUTC,
                    ground: .emergencyRecord))
        }
        let invoices = try await transaction.queryOne(
            "select count(*), max(created_at) from invoice where account = \(account)", as: Int.self, Timestamp?.self)
        if let (count, last) = invoices, let last {
            // What was paid, and when: accounting records.
            items.append(
                .init(
                    "invoices", count, keptUntil: (last + .seconds(86_400 * Int64(invoiceDays))).dateUTC,
                    ground: .accountingRecord))
        }
        return items.filter { $0.count > 0 }
    }

    /// Not in the transaction: nobody's samples wait for the key store. What fails here is done by the task.
    func erased(_ erasures: [Accounts.Erasure]) async {
        for erasure in erasures where erasure.scope == .account { roster.forget(erasure.accountID) }
        do { try await incidents.restrictDue() } catch {
            log.warning("incidents of erased people are still to be restricted", ["error": Log.text(of: error)])
        }
    }
}
