import Service

extension Track4RunService {
    static func sealedColumns(_ context: ServiceContext<Settings>) async throws -> [SealedDatabase] {
        let own = PersonalColumns.Column.allCases.map { column in
            let parts = column.rawValue.split(separator: ".").map(String.init)
            return SealedColumn(
                parts[1], parts[2], location: column.rawValue,
                row: column == .organiserName ? "uuid_send(id)" : "uuid_send(run_id) || uuid_send(runner_id)")
        }
        return [SealedDatabase(own + [.notices(of: name), .parkedEvents(of: name)], in: context.database)]
    }
}
