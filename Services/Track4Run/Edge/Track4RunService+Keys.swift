import Service

extension Track4RunService {
    /// The columns sealed with the service's key. All others are sealed with people's, which it wraps.
    static func sealedColumns(_ context: ServiceContext<Settings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase([.parkedEvents(of: name)], in: context.database),
            try await context.sealedKeyStore(context.settings.keystore),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<Settings>) async throws -> [FurtherSchema] {
        [try context.keyStoreSchema(context.settings.keystore)]
    }
}
