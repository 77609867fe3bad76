import Testing

@testable import Postgres

@Suite struct SQLTests {
    @Test("Interpolated values become numbered parameters, not text")
    func interpolation() {
        let sql: SQL = "select \(1) from t where name = \("x'; drop table t") and ok = \(Bool?.none)"
        #expect(sql.text == "select $1 from t where name = $2 and ok = $3")
        #expect(sql.binds.entries.map(\.type) == [20, 25, 16])
        #expect(sql.binds.entries.map(\.length) == [8, 16, -1])
    }

    @Test("Identifiers are quoted, raw text is not touched")
    func identifiers() {
        let sql: SQL = "select \(raw: "count(*)") from \(identifier: "a\"b; --")"
        #expect(sql.text == "select count(*) from \"a\"\"b; --\"")
        #expect(sql.binds.isEmpty)
    }

    @Test("Joined statements renumber the parameters of the second, and leave dollars in its text alone")
    func concatenation() {
        let condition: SQL = " where a = \(1) and b <> '$1' and c = \("zwei")"
        let sql: SQL = "select \(true)" + condition + " limit \(3)"
        #expect(sql.text == "select $1 where a = $2 and b <> '$1' and c = $3 limit $4")
        #expect(sql.binds.entries.map(\.type) == [16, 20, 25, 20])
        let nested: SQL = "\(9) \(sql: condition)!"
        #expect(nested.text == "$1  where a = $2 and b <> '$1' and c = $3!")
    }

    @Test("More than nine parameters keep their numbers when joined")
    func manyParameters() {
        var list: SQL = ""
        for value in 0..<12 { list += value == 0 ? "\(value)" : ",\(value)" }
        let sql: SQL = "\(99)," + list
        #expect(sql.text == "$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13")
    }

    @Test("The statement cache evicts what was unused for longest and tells parameter types apart")
    func cache() {
        var cache = StatementCache(statementsMax: 2)
        let first = cache.insert("select \(1)").added
        _ = cache.insert("select \("a")")
        #expect(cache.find("select \(2)") === first)
        #expect(cache.find("select \(Int32(2))") == nil)
        let third = cache.insert("select 3")
        #expect(third.evicted?.types == [25])
        #expect(cache.count == 2)
        #expect(cache.find("select \("b")") == nil)
    }

    @Test("Only statements that begin as reading count as harmless to lose")
    func reads() {
        var cache = StatementCache(statementsMax: 8)
        #expect(cache.insert(" \n SELECT 1").added.isRead)
        #expect(!cache.insert("with x as (delete from t returning 1) select 1").added.isRead)
        #expect(!cache.insert("insert into t values (1)").added.isRead)
    }
}
