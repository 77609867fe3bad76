import Service
import Statistics

extension QueryService {
    /// The columns sealed with the service's key. All others are sealed with people's, which it wraps.
    static func sealedColumns(_ context: ServiceContext<QuerySettings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase(
                [.parkedEvents(of: name), .idempotency] + WebhookStore.sealedColumns, in: context.database),
            try await context.sealedKeyStore(context.settings.keystore),
            try await AnonymousStatistics.sealedColumns(context, database: context.settings.statisticsDatabase),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<QuerySettings>) async throws -> [FurtherSchema] {
        [
            try AnonymousStatistics.schema(context, database: context.settings.statisticsDatabase),
            try context.keyStoreSchema(context.settings.keystore),
        ]
    }
}
