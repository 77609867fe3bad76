import Service

extension DispatcherService {
    /// The columns sealed with the service's key. All others are sealed with people's and incidents' own, which it wraps.
    static func sealedColumns(_ context: ServiceContext<DispatcherSettings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase(
                [
                    IncidentSealing.openColumn, ContactMessage.column, ContactEvent.column, .notices(of: name),
                    .parkedEvents(of: name),
                ], in: context.database),
            try await context.sealedKeyStore(context.settings.keystore),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<DispatcherSettings>) async throws -> [FurtherSchema] {
        [try context.keyStoreSchema(context.settings.keystore)]
    }
}
