import Security
import Service

extension IngestionService {
    /// The columns sealed with the service's key: the wrapped keys of people and publications. All other columns are
    /// sealed with those.
    static func sealedColumns(_ context: ServiceContext<IngestionSettings>) async throws -> [SealedDatabase] {
        let keys = [
            KeyStoreSchema.sealedColumn,
            SealedColumn("publication_key", "wrapped", location: SubjectKey.column, row: "uuid_send(publication)"),
        ]
        return try await Shards.databases(context).map {
            SealedDatabase([.parkedEvents(of: name)], in: $0)
        } + [
            SealedDatabase(
                keys, in: try await context.openDatabase(context.settings.keystore, migrations: keyMigrations))
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<IngestionSettings>) async throws -> [FurtherSchema] {
        let keystore = context.settings.keystore
        return [FurtherSchema(keystore.schema, keyMigrations, in: try context.connect(to: keystore))]
            + (try await Shards.schemas(context))
    }
}
