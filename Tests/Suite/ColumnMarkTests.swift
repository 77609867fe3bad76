import Contracts
import Postgres
import Primitives
import ProcessTesting
import Testing

/// What stands in the columns of all services' tables.
@Suite struct ColumnMarkTests {
    @Test(
        "NFR-05 ACC-12: every column of every schema is marked personal, pseudonymous or neither, and no mark is of none"
    )
    func marks() async throws {
        let all = try ColumnMarks.all()
        try await RunningSuite.with(ServiceName.allCases) { suite in
            let database = suite.cluster.database()
            for (schema, marks) in all.sorted(by: { $0.key < $1.key }) {
                let columns = try await ColumnMarks.columns(of: schema, in: database)
                let (marked, there) = (Set(marks.marks.keys), Set(columns.keys))
                #expect(there.subtracting(marked).map { "\($0)" }.sorted() == [], "\(schema): columns without a mark")
                // Tables that several services may have are not in all of them.
                let tables = Set(there.map(\.table))
                let gone = marked.subtracting(there).filter {
                    tables.contains($0.table) || !marks.shared.contains($0.table)
                }
                #expect(gone.map { "\($0)" }.sorted() == [], "\(schema): marks of no column")
                // Sealed values are bytes, and nothing else can be.
                for (column, mark) in marks.marks where columns[column] != nil {
                    guard mark == .sealed || mark == .personKey else { continue }
                    #expect(columns[column] == "bytea", "\(schema).\(column)")
                }
            }
            await database.close()
        }
    }

    @Test(
        "ACC-13: Every personal column of every service is in a file of the export, or said to be in none, and people are told of the file"
    )
    func exported() throws {
        let guide = String(
            decoding: try SmallFile.read(
                "\(ColumnMarks.checkout)/Services/Accounts/Export/ExportGuide.swift", bytesMax: 65_536), as: UTF8.self)
        for (schema, marks) in try ColumnMarks.all() {
            let personal = marks.marks.filter {
                [.sealed, .personKey, .readable].contains($0.value) && !marks.shared.contains($0.key.table)
            }
            // In the key stores, and what people never have: the wrapped keys.
            guard !personal.isEmpty, schema != "keys" else { continue }
            #expect(
                Set(personal.keys).subtracting(marks.exports.keys).map { "\($0)" }.sorted() == [],
                "\(schema): personal, and nothing said of the export")
            #expect(
                Set(marks.exports.keys).subtracting(personal.keys).map { "\($0)" }.sorted() == [],
                "\(schema): in the export, and not personal")
            for case (let column, let file?) in marks.exports { #expect(guide.contains(file), "\(schema).\(column)") }
        }
    }
}
