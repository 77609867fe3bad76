public import Edge
public import Postgres
import Security

extension Idempotency {
    /// In the service's own schema, sealed and hashed with its keys (NFR-05).
    public init<Settings>(_ context: ServiceContext<Settings>) {
        self.init(
            database: context.database, cipher: FieldCipher(context.keys.fields),
            index: BlindIndex(master: context.keys.blindIndex, column: Self.indexColumn), clock: context.clock)
    }

    /// Deletes old answers regularly.
    public func cleaning(pacing: any Pacing) -> BackgroundTask {
        .periodic("idempotency-cleaning", every: .seconds(600), pacing: pacing) { try await clean() }
    }

    /// The table, for one of the service's migrations.
    public static func migration(_ number: Int) -> Migration {
        Migration(number, "idempotency", Array(tableSQL.utf8))
    }
}

extension SealedColumn {
    /// Of `Idempotency`.
    public static let idempotency = SealedColumn(
        "idempotency", "answer", location: Idempotency.location, row: Idempotency.rowSQL)
}
