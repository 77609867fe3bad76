import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Security

/// Individuals by the hundred, without passwords, for migrations and simulated people: a few statements a call,
/// however many people it has.
struct Provisioning: Sendable {
    /// What their devices are called until somebody renames them.
    static let deviceName = "Wearable"

    let store: Store
    let issuer: TokenIssuer
    let subjects: SubjectNumbers

    /// Who is there already keeps the account and is answered with it. A registration that was not confirmed gives way,
    /// since nobody has proved that it is the person's own.
    func provision(_ people: [Accounts.Provision.Person]) async throws -> [Accounts.Provision.Provisioned] {
        guard people.count <= Accounts.Provision.peopleMax else {
            throw Refusal(.invalid, "too-many", "At most \(Accounts.Provision.peopleMax) people fit into a call.")
        }
        let today = store.now().dateUTC
        let batch = try people.map { try NewPerson($0, today: today, columns: store.columns) }
        guard Set(batch.map(\.codeIndex)).count == batch.count else {
            throw Refusal(.invalid, "repeated", "A fiscal code occurs twice in this call.")
        }
        let devices: [UUID: Placed]
        do {
            devices = try await place(batch)
        } catch let error as PostgresError where error.sqlState == .uniqueViolation {
            // Perhaps somebody provisioned the same people meanwhile: then they are there already now.
            do { devices = try await place(batch) } catch { throw RegistrationConflict.meaning(of: error) }
        }
        var result: [Accounts.Provision.Provisioned] = []
        result.reserveCapacity(batch.count)
        for person in batch {
            guard let placed = devices[person.id] else { throw StoredValueError(column: "device") }
            result.append(
                .init(
                    accountID: placed.account, deviceID: placed.device,
                    accessToken: try issuer.token(forDevice: placed.device, of: placed.account)))
        }
        return result
    }

    private struct Placed: Sendable {
        let account: UUID
        let device: UUID
    }

    /// Account and device of everybody, by the id that a new account would have had.
    private func place(_ batch: [NewPerson]) async throws -> [UUID: Placed] {
        try await store.transaction { transaction in
            try await transaction.execute(ProvisioningStatements.dropUnconfirmed(batch))
            let known = try await transaction.query(
                """
                select p.fiscal_code_index, p.account,
                  (select d.id from device d where d.account = p.account order by d.created_at, d.id limit 1)
                from person p where p.fiscal_code_index = any(\(batch.map(\.codeIndex)))
                """, as: [UInt8].self, UUID.self, UUID?.self)
            let found = Dictionary(known.map { ($0.0, ($0.1, $0.2)) }) { first, _ in first }
            var placed: [UUID: Placed] = [:]
            var new: [NewPerson] = []
            for person in batch {
                guard let (account, device) = found[person.codeIndex] else {
                    new.append(person)
                    placed[person.id] = Placed(account: person.id, device: person.device)
                    continue
                }
                placed[person.id] = Placed(
                    account: account, device: try await self.device(device, person, of: account, in: transaction))
            }
            try await insert(new, in: transaction)
            return placed
        }
    }

    /// The device that the account has, or one that it gets now.
    private func device(
        _ device: UUID?, _ person: NewPerson, of account: UUID, in transaction: Transaction
    ) async throws -> UUID {
        if let device { return device }
        let version = try await Store.requiredVersion(of: account, in: transaction)
        let types = person.types
        let device = try await Devices.insert(
            name: Self.deviceName, offered: types, for: account, store: store, in: transaction)
        let change = Accounts.DeviceChange(
            deviceID: device, accountID: account, dataTypes: try DataType.stored(types), isRemoved: false)
        try await store.feeds.publish([try AccountFeeds.device(change, version: version)], in: transaction)
        return device
    }

    private func insert(_ new: [NewPerson], in transaction: Transaction) async throws {
        guard !new.isEmpty else { return }
        let numbers = try await subjects.take(new.count, in: transaction)
        try await transaction.batch(ProvisioningStatements.all(new, numbers, store: store))
        var events: [FeedEvent] = []
        events.reserveCapacity(2 * new.count)
        for (person, number) in zip(new, numbers) {
            events.append(
                try AccountFeeds.account(
                    .init(accountID: person.id, kind: .individual, state: .active, subject: number), version: 1))
            events.append(
                try AccountFeeds.device(
                    .init(
                        deviceID: person.device, accountID: person.id,
                        dataTypes: try DataType.stored(person.types), isRemoved: false), version: 2))
        }
        // Nobody can tell from so many at once who is who, so their profiles need not wait for their day to be closed.
        var profiles = try zip(new, numbers).map { person, number in
            try AccountFeeds.profile(person.profile.coarse(subject: number), version: 1)
        }
        profiles.shuffle()
        try await store.feeds.publish(events + profiles, in: transaction)
    }
}
