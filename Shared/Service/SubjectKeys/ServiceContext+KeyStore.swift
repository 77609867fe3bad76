public import Postgres
public import Reactor
import Security

extension ServiceContext {
    /// Opens the service's key store, at the version of `migrations`. Waits until it is there.
    public func openKeyStore(
        _ settings: DatabaseSettings, migrations: [Migration] = KeyStoreSchema.migrations,
        peopleMax: Int = SubjectKeys.peopleMaxDefault, now: @escaping @Sendable () -> Deadline = { Deadline.now() }
    ) async throws -> SubjectKeys {
        keys(in: try await openDatabase(settings, migrations: migrations), peopleMax: peopleMax, now: now)
    }

    /// The same without waiting, for a service that has to begin without it: `ServiceParts.addWhenThere` prepares it.
    public func connectKeyStore(
        _ settings: DatabaseSettings, peopleMax: Int = SubjectKeys.peopleMaxDefault
    ) throws(ConfigurationError) -> SubjectKeys {
        keys(in: try connect(to: settings), peopleMax: peopleMax) { Deadline.now() }
    }

    private func keys(
        in database: Database, peopleMax: Int, now: @escaping @Sendable () -> Deadline
    ) -> SubjectKeys {
        SubjectKeys(
            store: KeyStore(database: database), cipher: FieldCipher(keys.fields), peopleMax: peopleMax, now: now)
    }

    /// The service's key store, for the rotation of the service's key.
    public func sealedKeyStore(_ settings: DatabaseSettings) async throws -> SealedDatabase {
        SealedDatabase([KeyStoreSchema.sealedColumn], in: try await openKeyStore(settings).store.database)
    }

    /// The schema of the service's key store, for the subcommands `migrate` and `check --connect`.
    public func keyStoreSchema(_ settings: DatabaseSettings) throws -> FurtherSchema {
        FurtherSchema(settings.schema, KeyStoreSchema.migrations, in: try connect(to: settings))
    }
}

extension ServiceParts {
    /// Before the service serves, keys that came back with a backup are destroyed again; `/readyz` shows whether the key store is
    /// there. Without it what is in memory goes on.
    public mutating func add(_ keys: SubjectKeys, _ restored: RestoredKeyStore) {
        beforeServing.append { try await restored.destroyAgain() }
        addReadiness(of: keys)
    }

    /// The same for a key store that may come after the service has begun (`ServiceContext.connectKeyStore`).
    public mutating func addWhenThere<Settings>(
        _ keys: SubjectKeys, _ restored: RestoredKeyStore, _ context: ServiceContext<Settings>
    ) {
        tasks.append(
            BackgroundTask("keystore") {
                try await context.prepare(keys.store.database, KeyStoreSchema.migrations)
                try await restored.destroyAgain()
            })
        addReadiness(of: keys)
    }

    private mutating func addReadiness(of keys: SubjectKeys) {
        let database = keys.store.database
        readiness.append(
            ReadinessCheck("keystore", isRequired: false) {
                let answer = try? await database.queryOne(
                    "select true", as: Bool.self, deadline: .after(Health.answerTime))
                return answer == true
            })
    }
}
