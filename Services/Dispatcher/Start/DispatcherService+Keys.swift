import Service

extension DispatcherService {
    static func sealedColumns(_ context: ServiceContext<DispatcherSettings>) async throws -> [SealedDatabase] {
        let own = SealedColumns.Column.allCases.map { column in
            let parts = column.rawValue.split(separator: ".").map(String.init)
            return SealedColumn(
                parts[1], parts[2], location: column.rawValue,
                row: column == .incident ? "uuid_send(id)" : "uuid_send(account)")
        }
        return [SealedDatabase(own + [.notices(of: name), .parkedEvents(of: name)], in: context.database)]
    }
}
