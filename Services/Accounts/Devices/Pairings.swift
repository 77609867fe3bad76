import Feed
import Contracts
import Domain
import Postgres
import Primitives
import Security

/// Connects a device without a keyboard to an account (ACC-14): the device shows a number, its owner types it in, and
/// the device fetches its secret.
struct Pairings: Sendable {
    /// How long a number is valid; the device has as long again to fetch its secret.
    static let codeLife = Duration.seconds(600)
    /// Numbers that one account may type within `triesWindow`, right ones included: otherwise an own device would buy
    /// more guesses at the numbers of others.
    static let triesMax = 5
    static let triesWindow = Duration.seconds(600)
    static let tries = TryWindow(table: "pairing_attempt", subject: "account", max: triesMax, length: triesWindow)
    /// Attempts to draw a number that no other device shows.
    static let drawsMax = 8
    /// Numbers that are shown at the same time: few enough that guessing hits one of 50 at best.
    static let openMax = 20_000
    /// Of these, the numbers for devices from any address; the rest is reserved for address blocks with few requests,
    /// so that one block cannot use up all.
    static let openOfFrequentMax = 15_000
    /// Requests from one address block within `triesWindow` that count as few.
    static let fewMax = 5
    /// Numbers that one client address may ask for within `triesWindow`.
    static let openPerAddressMax = 60

    struct Opened: Encodable, Sendable {
        let pairingID: UUID
        let code: String
        let claimSecret: String
        let expiresAt: Timestamp
    }

    struct Secret: Encodable, Sendable {
        let deviceID: UUID
        let deviceSecret: String
    }

    static let full = Refusal(
        .overloaded, "no-free-code", "Too many devices are being paired; please try again soon.",
        retryAfter: .seconds(30))

    let store: Store

    /// A number for a device to show. There are at most about `openMax` at the same time, or `openOfFrequentMax` when the
    /// device's block of addresses asked for more than `fewMax`.
    func open(name: String, dataTypes: [DataType], isFrequent: Bool) async throws -> Opened {
        try Devices.check(name: name, dataTypes: dataTypes)
        let id = UUID.random()
        let claim = OneTimeToken.random()
        let now = store.now()
        let openMax = isFrequent ? Self.openOfFrequentMax : Self.openMax
        let open = try await store.database.queryOne(
            """
            select count(*) from (
              select from pairing where device is null and owner is null and expires_at > \(now) limit \(openMax)) p
            """, as: Int.self)
        guard let open, open < openMax else { throw Self.full }
        for _ in 0..<Self.drawsMax {
            let code = SixDigitCode.random()
            // A number that has expired is free again.
            let taken = try await store.database.execute(
                """
                insert into pairing as p (id, code_index, claim_hash, name, offered_types, created_at, expires_at)
                values (\(id), \(store.columns.index(code)), \(claim.storedHash),
                  \(store.columns.seal(name, .pairingName, row: id)), \(DataType.toStore(dataTypes)), \(now),
                  \(now + Self.codeLife))
                on conflict on constraint pairing_code_key do update set
                  id = excluded.id, claim_hash = excluded.claim_hash, name = excluded.name,
                  offered_types = excluded.offered_types, device = null, created_at = excluded.created_at,
                  expires_at = excluded.expires_at
                where p.expires_at <= \(now)
                """)
            if taken == 1 {
                return Opened(
                    pairingID: id, code: code.description, claimSecret: claim.text, expiresAt: now + Self.codeLife)
            }
        }
        throw Self.full
    }

    /// Which pairing an owner accepts.
    enum Accepted: Sendable {
        /// The device that shows this number.
        case shown(SixDigitCode)
        /// The one that got the owner's number (`OwnerPairings`).
        case asking(UUID)
    }

    /// Connects a device to the account; its name is the device's own unless given. With `replacing` it takes the place of another
    /// one of the account's. Unknown, used and expired numbers get the same answer.
    func accept(
        _ accepted: Accepted, name: String?, replacing old: UUID? = nil, for account: UUID
    ) async throws -> UUID {
        if let name { try Devices.check(name: name) }
        if case .shown = accepted { try await countTry(of: account) }
        return try await store.transaction { transaction in
            let now = store.now()
            let version = try await Store.requiredVersion(of: account, in: transaction)
            let found = try await transaction.queryOne(
                """
                select id, name, offered_types from pairing
                where \(sql: which(accepted, account)) and device is null and expires_at > \(now) for update
                """, as: UUID.self, [UInt8].self, [Int16].self)
            guard let (pairing, sealedName, types) = found else {
                throw Refusal(.notFound, "unknown-code", "No device shows this number now.")
            }
            var shown = try name ?? store.columns.open(sealedName, .pairingName, row: pairing)
            let device: UUID
            if let old {
                let replacement = DeviceReplacement(store: store, account: account, version: version)
                (device, shown) = try await replacement.replace(
                    old, named: name, offered: types, in: transaction)
            } else {
                device = try await Devices.insert(
                    name: shown, offered: types, for: account, store: store, in: transaction)
            }
            try await transaction.execute(
                "update pairing set device = \(device), expires_at = \(now + Self.codeLife) where id = \(pairing)")
            try await Devices.publish(device, of: account, version: version, store: store, in: transaction)
            try await Inbox.put(
                MessageCatalogue.devicePaired, ["device": shown], id: .timeOrdered(at: now), to: account, email: true,
                store: store, in: transaction)
            return device
        }
    }

    private func which(_ accepted: Accepted, _ account: UUID) -> SQL {
        switch accepted {
        case .shown(let code): "code_index = \(store.columns.index(code)) and owner is null"
        case .asking(let pairing): "id = \(pairing) and owner = \(account)"
        }
    }

    /// The device's secret once its owner has typed the number, `nil` before. Until its first use it can be fetched
    /// again, in case an answer was lost; only the last one is valid.
    func claim(_ pairing: UUID, _ claim: String) async throws -> Secret? {
        guard let claim = OneTimeToken(claim) else { throw Refusal.notFound }
        return try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                "select claim_hash, device, expires_at > \(store.now()) from pairing where id = \(pairing) for update",
                as: [UInt8].self, UUID?.self, Bool.self)
            // Also of a device that its owner has refused.
            guard let (hash, device, isLive) = found, constantTimeEqual(hash, claim.storedHash) else {
                throw Refusal.notFound
            }
            guard isLive else { throw Refusal(.gone, "pairing-expired", "The time for pairing is over.") }
            guard let device else { return nil }
            let secret = OneTimeToken.random()
            let count = try await transaction.execute(
                "update device set secret_hash = \(secret.storedHash) where id = \(device) and token_at is null")
            guard count == 1 else { throw Refusal(.gone, "already-claimed", "The secret was used already.") }
            return Secret(deviceID: device, deviceSecret: secret.text)
        }
    }

    /// Counts a try before the number is compared, in a transaction of its own, so that a wrong one stays counted.
    private func countTry(of account: UUID) async throws {
        guard try await Self.tries.count("\(account)", at: store.now(), in: store.database) else {
            throw Refusal(
                .tooManyTries, "too-many-tries", "Too many numbers were typed; please wait some minutes.",
                retryAfter: Self.triesWindow)
        }
    }
}
