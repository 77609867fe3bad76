import Service
import Statistics

extension QueryService {
    /// The columns sealed with the service's key. All others are sealed with people's, which it wraps.
    static func sealedColumns(_ context: ServiceContext<QuerySettings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase([.parkedEvents(of: name)], in: context.database),
            SealedDatabase(
                [KeyStoreSchema.sealedColumn],
                in: try await context.openKeyStore(context.settings.keystore).store.database),
            try await AnonymousStatistics.sealedColumns(context, database: context.settings.statisticsDatabase),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<QuerySettings>) async throws -> [FurtherSchema] {
        [
            try AnonymousStatistics.schema(context, database: context.settings.statisticsDatabase),
            .keyStore(context.settings.keystore, in: try context.connect(to: context.settings.keystore)),
        ]
    }
}
