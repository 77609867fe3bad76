public import Edge
import Security

extension Idempotency {
    /// In the service's own schema, sealed with its field key (NFR-05).
    public init<Settings>(_ context: ServiceContext<Settings>) {
        self.init(database: context.database, cipher: FieldCipher(context.keys.fields), clock: context.clock)
    }

    /// Deletes old answers regularly.
    public func cleaning(pacing: any Pacing) -> BackgroundTask {
        .periodic("idempotency-cleaning", every: .seconds(600), pacing: pacing) { try await clean() }
    }
}
