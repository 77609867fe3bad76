import Postgres
import PostgresTesting
import Primitives
import Security
import Testing

@testable import Service

@Suite struct SubjectKeysTests {
    /// Runs `body` with a key store that can be away, whose cache begins another generation with each look.
    private func with(_ body: @escaping @Sendable (SubjectKeys, Database) async throws -> Void) async throws {
        try await TestDatabase.with { test in
            try await Migrations(schema: test.schema, KeyStoreSchema.migrations).run(on: test.database)
            let database = test.another()
            let cipher = FieldCipher(try ServiceKeys.random().fields)
            try await body(
                SubjectKeys(store: KeyStore(database: database), cipher: cipher, generationTime: .zero), database)
            await database.close()
        }
    }

    @Test("SOS-05: a key in use stays in memory while the key store is away; one that nobody asks for is dropped")
    func inUse() async throws {
        try await with { keys, database in
            let (idle, used) = (UUID.random(), UUID.random())
            _ = try await keys.key(of: idle)
            _ = try await keys.key(of: used)
            await database.close()
            for _ in 0..<5 { #expect(try await keys.key(of: used) != nil) }
            await #expect(throws: (any Error).self) { try await keys.key(of: idle) }
        }
    }

    @Test("ACC-12: the key of somebody who is known to be erased is dropped, however often it is asked for")
    func erased() async throws {
        try await with { keys, _ in
            let account = UUID.random()
            _ = try await keys.key(of: account)
            // Another replica destroys it.
            try await keys.store.destroy([account])
            #expect(try await keys.key(of: account) != nil)
            keys.forget([account])
            #expect(try await keys.key(of: account) == nil)
        }
    }

    @Test("SOS-05: keys that cannot be had are failures of their own, and the store is not asked again at once")
    func atHand() async throws {
        try await with { keys, database in
            let (known, other, lost) = (UUID.random(), UUID.random(), UUID.random())
            for account in [lost, other, known] { _ = try await keys.key(of: account) }
            try await database.execute("update subject_key set wrapped = 'x' where account_id = \(lost)")
            let (gone, never) = (UUID.random(), UUID.random())
            try await keys.destroy([gone])
            let some = await keys.keysAtHand(of: [lost, other, gone, never])
            guard case .failure(let missing) = some[never] else {
                Issue.record("a key that is not there")
                return
            }
            #expect(missing is KeyMissing)
            #expect(some.count == 3 && (try? some[other]?.get()) != nil && (try? some[lost]?.get()) == nil)
            await database.close()
            let away = await keys.keysAtHand(of: [other, lost])
            #expect((try? away[other]?.get()) != nil)
            #expect((try? away[lost]?.get()) == nil)
            guard case .failure(let error) = await keys.keysAtHand(of: [lost])[lost] else {
                Issue.record("a key that cannot be had")
                return
            }
            #expect(error is SubjectKeys.StoreAway)
        }
    }

    @Test("SOS-05: of several keys that are made or read together, one that cannot be unwrapped fails alone")
    func together() async throws {
        try await with { keys, database in
            let people = (0..<20).map { _ in UUID.random() }
            for account in people { _ = try await keys.key(of: account) }
            try await database.execute("update subject_key set wrapped = 'x' where account_id = \(people[7])")
            let others = SubjectKeys(store: keys.store, cipher: keys.cipher)
            let failed = await withTaskGroup(of: UUID?.self) { group in
                for account in people {
                    group.addTask { (try? await others.key(of: account)) == nil ? account : nil }
                }
                return await group.reduce(into: [UUID]()) { if let account = $1 { $0.append(account) } }
            }
            #expect(failed == [people[7]])
        }
    }

    @Test("NFR-05: of two replicas that make a person's key at the same time both have the same one")
    func replicas() async throws {
        try await with { keys, _ in
            let other = SubjectKeys(store: keys.store, cipher: keys.cipher)
            let people = (0..<20).map { _ in UUID.random() }
            for account in people {
                async let first = keys.key(of: account)
                async let second = other.make(for: [account])
                let (one, two) = try await (#require(first), second.key(of: account))
                let location = FieldLocation("test", row: account)
                #expect(try two.open(one.seal([7], at: location), at: location) == [7])
            }
        }
    }

    @Test("ACC-12: keys of accounts that did not come about leave nothing, and those that were destroyed their trace")
    func discarded() async throws {
        try await with { keys, database in
            let (unborn, erased) = (UUID.random(), UUID.random())
            _ = try await keys.make(for: [unborn, erased])
            try await keys.destroy([erased])
            try await keys.discard([unborn, erased])
            #expect(try await database.query("select account_id from subject_key", as: UUID.self) == [erased])
            #expect(try await keys.existingKey(of: erased) == nil)
            await #expect(throws: KeyMissing.self) { try await keys.existingKey(of: unborn) }
            // Nobody gets another one.
            #expect(try await !keys.make(for: [erased]).contains(erased))
        }
    }
}
