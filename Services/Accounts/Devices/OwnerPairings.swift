import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Security

/// Pairing the other way round (ACC-14): the owner's page shows a number, the device gets it typed in and says what it is, and the
/// owner confirms it by its name. Whoever guesses a number gets no further than that question.
struct OwnerPairings: Sendable {
    /// Numbers of all people at the same time: a guess hits one of 1,000 at best, and buys nothing but a question.
    static let openMax = 1000
    /// Numbers that devices at one client address may type within `Pairings.triesWindow`.
    static let triesPerAddressMax = 10

    struct Shown: Encodable, Sendable {
        let code: String
        let expiresAt: Timestamp
    }

    /// The device that asks.
    struct Asking: Encodable, Sendable {
        let pairingID: UUID
        let name: String
        let dataTypes: [DataType]
        let expiresAt: Timestamp
    }

    struct Redeemed: Encodable, Sendable {
        let pairingID: UUID
        let claimSecret: String
        let expiresAt: Timestamp
    }

    let store: Store

    /// A new number in place of the account's last one.
    func show(to account: UUID) async throws -> Shown {
        let now = store.now()
        return try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            try await transaction.execute(
                "delete from owner_pairing where account = \(account) or expires_at <= \(now)")
            let open = try await transaction.queryOne("select count(*) from owner_pairing", as: Int.self)
            if open ?? 0 < Self.openMax {
                for _ in 0..<Pairings.drawsMax {
                    let code = SixDigitCode.random()
                    let taken = try await transaction.execute(
                        """
                        insert into owner_pairing (account, code_index, created_at, expires_at)
                        values (\(account), \(store.columns.index(code)), \(now), \(now + Pairings.codeLife))
                        on conflict on constraint owner_pairing_code_key do nothing
                        """)
                    if taken == 1 { return Shown(code: code.description, expiresAt: now + Pairings.codeLife) }
                }
            }
            throw Pairings.full
        }
    }

    /// A device has got the number: it is good once. What the device says of itself waits for the owner's word.
    func redeem(_ code: SixDigitCode, name: String, dataTypes: [DataType]) async throws -> Redeemed {
        try Devices.check(name: name, dataTypes: dataTypes)
        let (id, claim, now) = (UUID.random(), OneTimeToken.random(), store.now())
        let index = store.columns.index(code)
        return try await store.transaction { transaction in
            let account = try await transaction.queryOne(
                "delete from owner_pairing where code_index = \(index) and expires_at > \(now) returning account",
                as: UUID.self)
            guard let account else {
                throw Refusal(.notFound, "unknown-code", "Nobody is shown this number now.")
            }
            // Two who ask at the same time are one: the last one counts.
            try await transaction.execute("delete from pairing where owner = \(account) and device is null")
            try await transaction.execute(
                """
                insert into pairing (id, code_index, owner, claim_hash, name, offered_types, created_at, expires_at)
                values (\(id), \(OneTimeToken.random().storedHash), \(account), \(claim.storedHash),
                  \(store.columns.seal(name, .pairingName, row: id)), \(DataType.toStore(dataTypes)), \(now),
                  \(now + Pairings.codeLife))
                """)
            return Redeemed(pairingID: id, claimSecret: claim.text, expiresAt: now + Pairings.codeLife)
        }
    }

    /// The device that asks to be the account's, if one does.
    func asking(_ account: UUID) async throws -> Asking? {
        let found = try await store.database.queryOne(
            """
            select id, name, offered_types, expires_at from pairing
            where owner = \(account) and device is null and expires_at > \(store.now())
            """, as: UUID.self, [UInt8].self, [Int16].self, Timestamp.self)
        return try found.map { id, name, types, expiresAt in
            Asking(
                pairingID: id, name: try store.columns.open(name, .pairingName, row: id),
                dataTypes: try DataType.stored(types), expiresAt: expiresAt)
        }
    }

    /// The device that asks is not the owner's.
    func refuse(_ pairing: UUID, of account: UUID) async throws {
        let count = try await store.database.execute(
            "delete from pairing where id = \(pairing) and owner = \(account) and device is null")
        guard count == 1 else { throw Refusal.notFound }
    }
}
