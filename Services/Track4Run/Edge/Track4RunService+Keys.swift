import Service

extension Track4RunService {
    /// The columns sealed with the service's key. All others are sealed with people's, which it wraps.
    static func sealedColumns(_ context: ServiceContext<Settings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase([.parkedEvents(of: name)], in: context.database),
            SealedDatabase(
                [KeyStoreSchema.sealedColumn],
                in: try await context.openKeyStore(context.settings.keystore).store.database),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<Settings>) async throws -> [FurtherSchema] {
        [.keyStore(context.settings.keystore, in: try context.connect(to: context.settings.keystore))]
    }
}
