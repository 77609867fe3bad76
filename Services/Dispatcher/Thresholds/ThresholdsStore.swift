import Domain
import Postgres
import Primitives
import Security
import Service

/// People's own limits in the database, sealed with their keys. Who ends the enrolment, or is erased, has none any more.
struct ThresholdsStore: Sendable {
    let database: Database
    let keys: SubjectKeys

    struct Known: Sendable {
        var own: PersonalThresholds?
        var changedAt: Timestamp?
        var proposal: ThresholdsProposal?
        var proposedAt: Timestamp?
    }

    /// Errors: `KeyMissing`, the key store's, `SecurityError`.
    func find(_ account: UUID) async throws -> Known {
        let row = try await database.queryOne(
            "select own, changed_at, proposal, proposed_at from thresholds where account = \(account)",
            as: [UInt8]?.self, Timestamp?.self, [UInt8]?.self, Timestamp?.self)
        guard let row, let key = try await keys.existingKey(of: account) else { return Known() }
        return Known(
            own: try row.0.map { try PersonalColumn.thresholds.open($0, of: account, with: key) }, changedAt: row.1,
            proposal: try row.2.map { try PersonalColumn.proposal.open($0, of: account, with: key) },
            proposedAt: row.3)
    }

    /// `nil` sets those of the rule set again. False for somebody who is not enrolled. Samples that are read from now on are
    /// judged by them.
    func set(_ own: PersonalThresholds?, of account: UUID, notice: SQL, at now: Timestamp) async throws -> Bool {
        guard let key = try await keys.existingKey(of: account) else { return false }
        let sealed = try own.map { own in try PersonalColumn.thresholds.seal(own, of: account, with: key) }
        return try await database.transaction { transaction in
            guard try await Self.lock(account, in: transaction) else { return false }
            let changedAt = own == nil ? nil : now
            try await transaction.batch([
                """
                insert into thresholds (account, own, changed_at) values (\(account), \(sealed), \(changedAt))
                on conflict on constraint thresholds_key do update
                set own = excluded.own, changed_at = excluded.changed_at
                """, WatchChange.note(of: account), notice,
            ])
            return true
        }
    }

    func propose(_ proposal: ThresholdsProposal, of account: UUID, at now: Timestamp) async throws -> Bool {
        guard let key = try await keys.existingKey(of: account) else { return false }
        let sealed = try PersonalColumn.proposal.seal(proposal, of: account, with: key)
        return try await database.transaction { transaction in
            guard try await Self.lock(account, in: transaction) else { return false }
            try await transaction.execute(
                """
                insert into thresholds (account, proposal, proposed_at) values (\(account), \(sealed), \(now))
                on conflict on constraint thresholds_key do update
                set proposal = excluded.proposal, proposed_at = excluded.proposed_at
                """)
            return true
        }
    }

    /// Nobody ends the enrolment meanwhile.
    private static func lock(_ account: UUID, in transaction: Transaction) async throws -> Bool {
        try await transaction.queryOne(
            "select true from enrolment where account = \(account) and is_active for share", as: Bool.self) ?? false
    }

    /// Of somebody who ends the enrolment.
    static func end(of account: UUID) -> SQL { "delete from thresholds where account = \(account)" }
}
