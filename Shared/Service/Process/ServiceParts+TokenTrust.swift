public import Edge
public import Postgres

extension ServiceParts {
    /// Keeps what checks tokens while accounts cannot be reached in the service's own schema (`TokenTrust.migration`), so that it
    /// survives a restart. For services with routes that take overdue tokens.
    public mutating func keep<Settings>(
        _ trust: TokenTrust, _ context: ServiceContext<Settings>, pacing: any Pacing
    ) {
        let database = context.database
        beforeServing.append { try await trust.restore(from: database) }
        tasks.append(
            .periodic("token-trust", every: TokenTrust.interval, carriesAlarms: true, pacing: pacing) {
                try await trust.keep(in: database)
            })
    }
}

extension TokenTrust {
    /// The tables, for one of the service's migrations.
    public static func migration(_ number: Int) -> Migration {
        Migration(number, "token trust", Array(tableSQL.utf8))
    }
}
