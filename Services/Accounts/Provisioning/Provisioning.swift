import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Security
import Service

/// Creates individuals in batches of hundreds, without passwords, for migrations and simulated people: a few statements
/// a call, however many people it has.
///
/// The answer has upload tokens, so people who exist already get no answer, confirmed or not: otherwise whoever may
/// provision would own everybody's devices. An answer is repeated only for people made by a call with the same secret
/// (`population`), as long as they have no password and still have the device that was made with them.
struct Provisioning: Sendable {
    /// The name of the device until somebody renames it.
    static let deviceName = "Wearable"
    private static let purpose = "provisioning"
    private static let refusedPurpose = "provisioning refused"

    let store: Store
    let subjects: SubjectNumbers
    let audit: AuditTrail
    let invitations: Invitations

    /// Account and device of each, in the order of the call.
    func provision(
        _ params: Accounts.Provision.Params, caller: String
    ) async throws -> [Place] {
        let people = params.people
        guard people.count <= Accounts.Provision.peopleMax else {
            throw Refusal(.invalid, "too-many", "At most \(Accounts.Provision.peopleMax) people fit into a call.")
        }
        guard Accounts.Provision.populationBytes.contains(params.population.utf8.count) else {
            throw Refusal(.invalid, "no-population", "A population is named by a secret of 32 to 128 bytes.")
        }
        let today = store.now().dateUTC
        let batch = try people.map { try NewPerson($0, today: today, columns: store.columns) }
        guard Set(batch.map(\.codeIndex)).count == batch.count else {
            throw Refusal(.invalid, "repeated", "A fiscal code occurs twice in this call.")
        }
        let population = Digest.sha256(Array(params.population.utf8))
        do {
            return try await place(batch, population, caller, invite: params.invite ?? false)
        } catch let error as PostgresError where Self.isConflict(error) {
            // The same call, or a registration, may have been made at the same time: then the people exist by now.
            do { return try await place(batch, population, caller, invite: params.invite ?? false) } catch {
                throw RegistrationConflict.meaning(of: error)
            }
        }
    }

    /// What somebody else has stored meanwhile violates a constraint: of uniqueness, or that an address has one owner.
    private static func isConflict(_ error: PostgresError) -> Bool {
        error.sqlState == .uniqueViolation || error.constraint == "account_email_owner"
    }

    /// Account and device of somebody.
    struct Place: Sendable {
        let account: UUID
        let device: UUID
    }

    /// A person who exists already.
    private struct Known: Sendable {
        let place: Place?
        let pseudonym: UUID
    }

    /// Account and device of each person, in the order of the call. Who is there already needs no new key.
    private func place(
        _ batch: [NewPerson], _ population: [UInt8], _ caller: String, invite: Bool
    ) async throws -> [Place] {
        let there = try await known(batch, population, in: store.database)
        return try await store.withNewKeys(for: batch.filter { there[$0.codeIndex] == nil }.map(\.id)) { keys in
            try await place(batch, population, caller, keys, invite: invite)
        }
    }

    private func place(
        _ batch: [NewPerson], _ population: [UInt8], _ caller: String, _ keys: SubjectKeySet, invite: Bool
    ) async throws -> [Place] {
        let outcome = try await store.transaction { transaction -> Result<[Place], Existing> in
            let known = try await known(batch, population, in: transaction)
            let others = batch.compactMap { known[$0.codeIndex] }.filter { $0.place == nil }
            guard others.isEmpty else {
                try await audit.append(
                    others.map { reading($0.pseudonym, Self.refusedPurpose, caller) }, in: transaction)
                let number = batch.firstIndex { known[$0.codeIndex].map { $0.place == nil } ?? false }
                return .failure(Existing(member: number.map { "/people/\($0)/fiscal_code" }))
            }
            let new = batch.filter { known[$0.codeIndex] == nil }
            if let taken = try await takenAddress(of: new, in: transaction) {
                let number = batch.firstIndex { $0.emailIndex == taken }
                return .failure(Existing(member: number.map { "/people/\($0)/email" }))
            }
            try await insert(new, population, keys, in: transaction)
            if invite { try await invitations.send(to: new.map(\.id), in: transaction) }
            try await audit.append(
                batch.map { reading(known[$0.codeIndex]?.pseudonym ?? $0.pseudonym, Self.purpose, caller) },
                in: transaction)
            return .success(
                batch.map { known[$0.codeIndex]?.place ?? Place(account: $0.id, device: $0.device) })
        }
        do { return try outcome.get() } catch {
            throw Refusal(
                .conflict, "exists", "Somebody in this call is there already; nobody was made.",
                pointer: error.member)
        }
    }

    private struct Existing: Error {
        let member: String?
    }

    /// An address of these that an account has already: a company's, or another person's.
    private func takenAddress(of new: [NewPerson], in transaction: Transaction) async throws -> [UInt8]? {
        try await transaction.queryOne(
            """
            select o.email_index from email_owner o
            where o.email_index = any(\(new.map(\.emailIndex))) and (o.owner_index <> o.email_index or exists (
              select from account a where a.email_index = o.email_index and a.kind = 'individual'))
            limit 1
            """, as: [UInt8].self)
    }

    private func reading(_ pseudonym: UUID, _ purpose: String, _ caller: String) -> AuditTrail.Reading {
        .init(actor: caller, action: Accounts.Provision.name, pseudonym: pseudonym, purpose: purpose)
    }

    /// The people of the call who exist already, with account and device when the answer may be repeated.
    private func known(
        _ batch: [NewPerson], _ population: [UInt8], in session: some SQLSession
    ) async throws -> [[UInt8]: Known] {
        let rows = try await session.query(
            """
            select p.fiscal_code_index, a.id, a.pseudonym,
              case when v.population_hash = \(population)
                and not exists (select from password w where w.account = a.id) then v.device end as device
            from person p join account a on a.id = p.account left join provisioned v on v.account = a.id
            where p.fiscal_code_index = any(\(batch.map(\.codeIndex)))
            """
        ) { row throws(PostgresError) in
            let (account, device): (UUID, UUID?) = (try row["id"], try row["device"])
            return (
                try row.decode("fiscal_code_index", as: [UInt8].self),
                Known(place: device.map { Place(account: account, device: $0) }, pseudonym: try row["pseudonym"])
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    private func insert(
        _ new: [NewPerson], _ population: [UInt8], _ keys: SubjectKeySet, in transaction: Transaction
    ) async throws {
        guard !new.isEmpty else { return }
        let numbers = try await subjects.take(new.count, in: transaction)
        try await transaction.batch(ProvisioningStatements.all(new, numbers, population, keys, store: store))
        var events: [FeedEvent] = []
        events.reserveCapacity(2 * new.count)
        for (person, number) in zip(new, numbers) {
            events.append(
                try AccountFeeds.account(
                    .init(
                        accountID: person.id, kind: .individual, subject: number,
                        paused: person.consents.paused), version: 1))
            events.append(
                try AccountFeeds.device(
                    .init(
                        deviceID: person.device, accountID: person.id,
                        dataTypes: try DataType.stored(person.types), isRemoved: false), version: 2))
        }
        // In so large a batch nobody can be identified, so the profiles need not wait until their day is closed.
        var profiles = try zip(new, numbers).map { person, number in
            try AccountFeeds.profile(person.profile.coarse(subject: number), version: 1)
        }
        profiles.shuffle()
        try await store.feeds.publish(events + profiles, in: transaction)
    }
}
