import Domain
import Postgres
import Primitives
import Service

/// The statements that store provisioned people, each for all people of a call.
enum ProvisioningStatements {
    static func all(
        _ people: [NewPerson], _ subjects: [Int32], _ population: [UInt8], _ keys: SubjectKeySet, store: Store
    ) throws -> [SQL] {
        let now = store.now()
        let sealed = try people.map { try $0.sealed(store.columns, with: keys.key(of: $0.id)) }
        let ids = people.map(\.id)
        let emails = people.map(\.emailIndex)
        return [
            """
            insert into email_owner (email_index, owner_index) select e, e from unnest(\(emails)) e
            on conflict do nothing
            """,
            """
            insert into account (id, kind, email_index, owner_index, email, language, pseudonym, created_at, confirmed_at,
              version)
            select t.id, 'individual', t.email_index, t.email_index, t.email, 'it', t.pseudonym, \(now), \(now), 2
            from unnest(\(ids), \(emails), \(sealed.map(\.email)), \(people.map(\.pseudonym)))
              t (id, email_index, email, pseudonym)
            """,
            """
            insert into person (account, fiscal_code_index, profile, subject, subject_version)
            select t.*, 1 from unnest(\(ids), \(people.map(\.codeIndex)), \(sealed.map(\.profile)), \(subjects)) t
            """,
            devices(people, ids, sealed.map(\.deviceName), now),
            consents(people, now),
            """
            insert into provisioned (account, device, population_hash)
            select t.*, \(population) from unnest(\(ids), \(people.map(\.device))) t
            """,
        ]
    }

    /// A receipt for each purpose of those who have consented to anything elsewhere.
    private static func consents(_ people: [NewPerson], _ now: Timestamp) -> SQL {
        let receipts = people.filter { $0.consents != .none }.flatMap { person in
            ConsentPurpose.allCases.enumerated().map { place, purpose in
                (person.id, Int32(place + 1), purpose.rawValue, purpose.isGiven(in: person.consents))
            }
        }
        return """
            insert into consent_receipt (account, number, purpose, is_given, way, version, language, recorded_at)
            select t.*, 'provisioning', \(ConsentPurpose.version), 'it', \(now)
            from unnest(\(receipts.map(\.0)), \(receipts.map(\.1)), \(receipts.map(\.2)), \(receipts.map(\.3))) t
            """
    }

    /// Arrays of arrays need equal lengths, so the types are passed as one text per device.
    private static func devices(
        _ people: [NewPerson], _ ids: [UUID], _ names: [[UInt8]], _ now: Timestamp
    ) -> SQL {
        let types = people.map { person in "{\(person.types.map { String($0) }.joined(separator: ","))}" }
        return """
            insert into device (id, account, name, offered_types, data_types, created_at)
            select t.id, t.account, t.name, t.types::smallint[], t.types::smallint[], \(now)
            from unnest(\(people.map(\.device)), \(ids), \(names), \(types))
              t (id, account, name, types)
            """
    }
}
