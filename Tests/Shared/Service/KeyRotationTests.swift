import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import ServiceTesting
import Synchronization
import Testing

@testable import Service

@Suite struct KeyRotationTests {
    private let old = SecretKey.random()
    private let new = SecretKey.random()
    private static let names = SealedColumn("person", "name", location: "test.person.name")
    private static let notes = SealedColumn(
        "note", "text", location: "test.note.text", row: "uuid_send(person) || int4send(number)")

    private func location(_ person: UUID, _ number: Int32) -> FieldLocation {
        FieldLocation("test.note.text", row: person.bytes + withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }

    private func fill(_ database: Database, _ cipher: FieldCipher, count: Int) async throws -> [UUID] {
        try await database.execute("create table person (id uuid primary key, name bytea)")
        try await database.execute(
            "create table note (person uuid not null, number integer not null, text bytea not null) partition by hash (person)"
        )
        for part in 0..<2 {
            try await database.execute(
                "create table note_\(raw: String(part)) partition of note for values with (modulus 2, remainder \(raw: String(part)))"
            )
        }
        let ids = (0..<count).map { _ in UUID.random() }
        let names = ids.map { cipher.seal("name of \($0)", at: FieldLocation("test.person.name", row: $0)) }
        let notes = ids.map { cipher.seal("note of \($0)", at: location($0, 7)) }
        try await database.execute("insert into person select * from unnest(\(ids), \(names))")
        try await database.execute("insert into note select id, 7, text from unnest(\(ids), \(notes)) n (id, text)")
        try await database.execute("insert into person values (\(UUID.random()), null), (\(UUID.random()), '')")
        return ids
    }

    private func readAll(_ database: Database, _ ids: [UUID], _ cipher: FieldCipher) async throws {
        let names = try await database.query(
            "select id, name from person where octet_length(name) > 0", as: UUID.self, [UInt8].self)
        #expect(names.count == ids.count)
        for (id, name) in names {
            let text = try cipher.openText(name, at: FieldLocation("test.person.name", row: id))
            #expect(text == "name of \(id)" || text == "changed")
        }
        for (id, note) in try await database.query("select person, text from note", as: UUID.self, [UInt8].self) {
            #expect(try cipher.openText(note, at: location(id, 7)) == "note of \(id)")
        }
    }

    @Test("NFR-05d: All sealed values are sealed anew with the current key, in all tables, and the old key can go")
    func rotation() async throws {
        let both = FieldKeys(try KeyRing(["a": old, "b": new], current: "a"))
        let after = FieldCipher(try KeyRing(["b": new], current: "b"))
        try await TestDatabase.with { test in
            let database = test.database
            let ids = try await fill(database, FieldCipher(both), count: 2500)
            let sealed = [SealedDatabase([Self.names, Self.notes], in: database)]
            #expect(try await KeyCount.counts(sealed).map(\.key) == ["a", "a"])
            both.replace(with: try KeyRing(["a": old, "b": new], current: "b"))
            let lines = Mutex<[String]>([])
            let rotation = KeyRotation(cipher: FieldCipher(both), pause: .zero) { line in
                lines.withLock { $0.append(line) }
            }
            #expect(try await rotation.run(sealed) == .init(resealed: 5000, unreadable: 0))
            #expect(lines.withLock { $0.contains("test.note.text, pass 1: 2500 sealed anew, 0 cannot be opened") })
            try await readAll(database, ids, after)
            // Again there is nothing to do.
            #expect(try await rotation.run(sealed) == .init(resealed: 0, unreadable: 0))
            let counts = try await KeyCount.counts(sealed)
            #expect(counts.map(\.key) == ["b", "b"] && counts.map(\.values) == [2500, 2500])
        }
    }

    @Test("NFR-05: Replicas that write meanwhile lose nothing, and what they seal with the old key is found")
    func concurrent() async throws {
        let both = try KeyRing(["a": old, "b": new], current: "b")
        let before = FieldCipher(try KeyRing(["a": old, "b": new], current: "a"))
        let after = FieldCipher(try KeyRing(["b": new], current: "b"))
        try await TestDatabase.with { test in
            let (database, loops) = (test.database, test.loops)
            let ids = try await fill(database, before, count: 1500)
            let writer = loops.loops[0].throwingTask {
                for id in ids.prefix(300) {
                    let name = before.seal("changed", at: FieldLocation("test.person.name", row: id))
                    try await database.execute("update person set name = \(name) where id = \(id)")
                }
            }
            let rotation = KeyRotation(cipher: FieldCipher(both), pause: .milliseconds(50)) { _ in }
            let sealed = [SealedDatabase([Self.names, Self.notes], in: database)]
            _ = try await rotation.run(sealed)
            try await writer.value
            // What came after the last pass.
            _ = try await rotation.run(sealed)
            try await readAll(database, ids, after)
            let changed = try await database.query(
                "select id, name from person where id = any(\(Array(ids.prefix(300))))", as: UUID.self, [UInt8].self)
            for (id, name) in changed {
                #expect(try after.openText(name, at: FieldLocation("test.person.name", row: id)) == "changed")
            }
        }
    }

    @Test("NFR-05d: What was under way with the old key reaches a column after it was gone through, and is found")
    func late() async throws {
        let before = FieldCipher(try KeyRing(["a": old, "b": new], current: "a"))
        let both = FieldCipher(try KeyRing(["a": old, "b": new], current: "b"))
        try await TestDatabase.with { test in
            let database = test.database
            let ids = try await fill(database, before, count: 10)
            let name = before.seal("changed", at: FieldLocation("test.person.name", row: ids[0]))
            try await database.execute("create table late (name bytea)")
            try await database.execute("insert into late values (\(name))")
            try await database.execute(
                """
                create function write_late() returns trigger language plpgsql as $$ begin
                  update person set name = late.name from late where id = '\(raw: ids[0].description)';
                  return null;
                end $$
                """)
            try await database.execute(
                "create trigger write_late after update on note for each row execute function write_late()")
            let sealed = [SealedDatabase([Self.names, Self.notes], in: database)]
            let outcome = try await KeyRotation(cipher: both, pause: .zero) { _ in }.run(sealed)
            #expect(outcome == .init(resealed: 21, unreadable: 0))
            try await readAll(database, ids, FieldCipher(try KeyRing(["b": new], current: "b")))
        }
    }

    @Test("NFR-05: Values that no key of the ring opens are counted, stay as they are, and fail the command")
    func unreadable() async throws {
        let lost = FieldCipher(try KeyRing(["lost": .random()], current: "lost"))
        let keys = ServiceKeys(fields: FieldKeys(try KeyRing(["b": new], current: "b")), blindIndex: .random())
        try await TestDatabase.with { test in
            let database = test.database
            _ = try await fill(database, lost, count: 3)
            let sealed = [SealedDatabase([Self.names], in: database)]
            await #expect(throws: KeyRotationError.self) {
                try await KeyCommand.run(["rotate"], sealed, keys: keys) { _ in }
            }
            #expect(try await KeyCount.counts(sealed) == [.init(location: "test.person.name", key: "lost", values: 3)])
            await #expect(throws: KeyRotationError.self) { try await KeyCommand.run([], sealed, keys: keys) { _ in } }
        }
    }
}
