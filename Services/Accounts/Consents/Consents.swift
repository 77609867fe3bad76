import Contracts
import Domain
import Postgres
import Primitives

/// The consents of individuals, each with a receipt (GDPR 7(1)).
struct Consents: Sendable {
    /// Receipts that are listed, the newest.
    static let listedMax = 500
    /// Consents that one account gives within `givingTime`; withdrawing has no limit of its own.
    static let givingMax = 20
    static let givingTime = Duration.seconds(24 * 3600)

    /// Members that are absent stay as they are.
    struct Change: Decodable, Sendable {
        let healthData: Bool?
        let position: Bool?
    }

    struct Receipt: Encodable, Sendable {
        /// `terms`, a `ConsentPurpose`, or `EmergencyConsent.purpose`.
        let purpose: String
        let isGiven: Bool
        let way: String
        let version: String
        /// In which the text was shown; absent for the terms.
        let language: Language?
        let recordedAt: Timestamp
    }

    struct Own: Encodable, Sendable {
        let consents: Accounts.Consents
        /// Given and withdrawn at AutomatedSOS.
        let emergencyCalls: Bool
        /// Newest first.
        let receipts: [Receipt]
    }

    let store: Store

    /// What holds, and the receipts of it all, those of the terms included.
    func own(_ account: UUID) async throws -> Own {
        let rows = try await store.database.query(
            """
            select 'terms', true, way, version, null::text, accepted_at as at, 0 from terms_acceptance
            where account = \(account)
            union all
            select purpose, is_given, way, version, language, recorded_at, number from consent_receipt
            where account = \(account)
            order by 6 desc, 7 desc limit \(Self.listedMax)
            """, as: String.self, Bool.self, String.self, String.self, String?.self, Timestamp.self, Int32.self)
        return Own(
            consents: try await Self.read(of: account, in: store.database),
            emergencyCalls: try await store.database.queryOne(
                "select coalesce(\(sql: EmergencyConsent.last("\(account)")), false)", as: Bool.self) ?? false,
            receipts: try rows.map { row in
                Receipt(
                    purpose: row.0, isGiven: row.1, way: row.2, version: row.3,
                    language: try row.4.map { (text) throws(StoredValueError) in try Language.stored(text) },
                    recordedAt: row.5)
            })
    }

    /// Gives or withdraws what the change names. Throws `too-many-changes`.
    func change(_ account: UUID, _ change: Change) async throws -> Own {
        try await store.transaction { transaction in
            let version = try await Store.requiredVersion(of: account, in: transaction)
            let before = try await Self.read(of: account, in: transaction)
            let after = Accounts.Consents(
                healthData: change.healthData ?? before.healthData, position: change.position ?? before.position)
            guard after != before else { return }
            let now = store.now()
            let given = try await transaction.queryOne(
                """
                select count(*) from consent_receipt
                where account = \(account) and is_given and recorded_at > \(now - Self.givingTime)
                """, as: Int.self)
            let isWithdrawing = ConsentPurpose.allCases.allSatisfy { $0.isGiven(in: before) || !$0.isGiven(in: after) }
            guard isWithdrawing || given ?? 0 < Self.givingMax else {
                throw Refusal(
                    .tooManyTries, "too-many-changes", "Consents were given too often today; withdrawing is possible.",
                    retryAfter: Self.givingTime)
            }
            let language = try await transaction.queryOne(
                "select language from account where id = \(account)", as: String.self)
            try await Self.record(
                after, before: before, way: .session, language: try Language.stored(language ?? ""), of: account,
                at: now,
                in: transaction)
            try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
        }
        return try await own(account)
    }

    /// Writes a receipt for each purpose that differs from `before`; all of them without it. The caller holds the account.
    static func record(
        _ consents: Accounts.Consents, before: Accounts.Consents? = nil, way: ConsentWay, language: Language,
        of account: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        let purposes = ConsentPurpose.allCases.filter { purpose in
            before.map { purpose.isGiven(in: $0) != purpose.isGiven(in: consents) } ?? true
        }
        try await write(
            purposes.map { ($0.rawValue, $0.isGiven(in: consents)) }, version: ConsentPurpose.version, way: way,
            language: language.rawValue, of: account, at: now, in: transaction)
    }

    /// Writes receipts, in this order. The caller holds the account.
    static func write(
        _ receipts: [(purpose: String, isGiven: Bool)], version: String, way: ConsentWay, language: String,
        of account: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.execute(
            """
            insert into consent_receipt (account, number, purpose, is_given, way, version, language, recorded_at)
            select \(account), (select coalesce(max(number), 0) from consent_receipt where account = \(account)) + t.place,
              t.purpose, t.is_given, \(way.rawValue), \(version), \(language), \(now)
            from unnest(\(receipts.map(\.purpose)), \(receipts.map(\.isGiven)))
              with ordinality t (purpose, is_given, place)
            """)
    }

    /// What an account consents to at the moment.
    static func read(of account: UUID, in session: some SQLSession) async throws(PostgresError) -> Accounts.Consents {
        try await read(of: [account], in: session)[account] ?? .none
    }

    /// Of those of the accounts that have ever decided.
    static func read(
        of accounts: [UUID], in session: some SQLSession
    ) async throws(PostgresError) -> [UUID: Accounts.Consents] {
        let rows = try await session.query(
            """
            select distinct on (account, purpose) account, purpose, is_given from consent_receipt
            where account = any(\(accounts)) order by account, purpose, number desc
            """, as: UUID.self, String.self, Bool.self)
        var consents: [UUID: Accounts.Consents] = [:]
        for (account, purpose, isGiven) in rows where isGiven {
            switch ConsentPurpose(rawValue: purpose) {
            case .healthData: consents[account, default: .none].healthData = true
            case .position: consents[account, default: .none].position = true
            case nil: break
            }
        }
        return consents
    }
}

extension Accounts.Consents {
    static let none = Accounts.Consents(healthData: false, position: false)

    /// The groups of which nothing may be collected.
    var paused: [String] {
        DataType.Group.allCases.filter { $0 == .position ? !position : !healthData }.map(\.rawValue)
    }
}
