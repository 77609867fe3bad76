import Glibc
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import Reactor
import Security
import Testing

extension BadDays {
    @Suite struct KeyRotationKillTests {
        private static let count = 5000
        private static let column = "dispatcher.notice.content"

        @Test(
            "NFR-05d: a rotation of keys that is killed halfway goes on when it is begun again, and the old key can go",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await ServiceSchemas.with { schemas, test in
                try await TestDirectory.with { directory in
                    let dispatcher = try ServiceProgram(
                        "dispatcher", in: directory, database: .shared(), schemas: schemas)
                    let ring = directory.file("ring")
                    #expect(mkdir(ring, 0o700) == 0)
                    try directory.write("ring/1.key", try directory.read("dispatcher.field.key"))
                    try directory.write("ring/2.key", Base64.standard.encode(randomBytes(SecretKey.byteCount)))
                    try directory.write("ring/current", "1")
                    try dispatcher.configure {
                        $0.replacing(directory.file("dispatcher.field.key"), with: ring)
                    }
                    try await dispatcher.start("migrate")
                    #expect(try await dispatcher.waitForEnd() == .exited(0))
                    let ids = try await fill(test.database, FieldCipher(try KeyRing.load(directory: ring)))
                    try directory.write("ring/current", "2")

                    try await dispatcher.start("keys", "rotate")
                    try await eventually("a part is sealed anew") { try await count(of: "2", test.database) >= 300 }
                    dispatcher.kill()
                    _ = try await dispatcher.waitForEnd()
                    let left = try await count(of: "1", test.database)
                    #expect(left > 0 && left < Self.count)

                    try await dispatcher.start("keys", "rotate")
                    #expect(try await dispatcher.waitForEnd() == .exited(0))
                    #expect(try await count(of: "2", test.database) == Self.count)
                    unlink("\(ring)/1.key")
                    let after = FieldCipher(try KeyRing.load(directory: ring))
                    let rows = try await test.database.query(
                        "select id, content from notice", as: UUID.self, [UInt8].self)
                    #expect(Set(rows.map(\.0)) == Set(ids))
                    for (id, content) in rows {
                        #expect(try after.openText(content, at: FieldLocation(Self.column, row: id)) == "\(id)")
                    }
                }
            }
        }

        private func fill(_ database: Database, _ cipher: FieldCipher) async throws -> [UUID] {
            let ids = (0..<Self.count).map { _ in UUID.random() }
            let contents = ids.map { cipher.seal("\($0)", at: FieldLocation(Self.column, row: $0)) }
            try await database.execute(
                """
                insert into notice (id, account, template, content, email, is_urgent, due_at)
                select id, id, 'test', content, false, false, now() from unnest(\(ids), \(contents)) n (id, content)
                """)
            return ids
        }

        private func count(of key: String, _ database: Database) async throws -> Int {
            let header = [1, UInt8(key.utf8.count)] + Array(key.utf8)
            return try await database.queryOne(
                """
                select count(*) from notice
                where substring(content from 1 for \(Int32(header.count))) = \(header)
                """, as: Int.self) ?? 0
        }
    }
}
