public import Postgres
import Reactor

/// Databases beside the service's own that need not be there when it starts, and may move.
extension ServiceContext {
    /// A further database, as it is configured and not yet used: `prepare` brings its schema to the version of the migrations. It
    /// is closed when the service stops.
    public func connect(
        to settings: DatabaseSettings, _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) throws(ConfigurationError) -> Database {
        if let given = databases.given(settings.schema) { return given }
        var configuration = try settings.configuration(application: name, loops: loops.loops.count)
        configuration.observer = observer
        configuration.keepsPlans = database.configuration.keepsPlans
        configure(&configuration)
        let database = Database(configuration, loops: loops)
        databases.add(database, settings)
        return database
    }

    /// The same for another schema in the service's own database, one of `count` that share its connections.
    public func connect(
        toSchema schema: String, sharedBy count: Int, _ configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) throws(ConfigurationError) -> Database {
        if let given = databases.given(schema) { return given }
        if let settings = settings(ofSchema: schema, sharedBy: count) { return try connect(to: settings, configure) }
        var configuration = database.configuration
        configuration.searchPath = [schema]
        configure(&configuration)
        let database = Database(configuration, loops: loops)
        databases.add(database, nil)
        return database
    }

    /// The settings of another schema in the service's own database; `nil` where a test has made the context.
    public func settings(ofSchema schema: String, sharedBy count: Int = 1) -> DatabaseSettings? {
        databaseSettings.map { own in
            var settings = own
            settings.schema = schema
            settings.connectionsMax = max(
                min(own.connectionsMax, Self.sharedConnectionsMin), own.connectionsMax / count)
            return settings
        }
    }

    /// Schemas that share a database's connections have at least so many each.
    private static var sharedConnectionsMin: Int { 4 }

    /// Brings the schema of a database that `connect` has made up to date, or checks that it is. Waits until it is there.
    public func prepare(_ database: Database, _ migrations: [Migration]) async throws {
        let schema = database.configuration.searchPath.first ?? ""
        let migrates = databases.settings(of: database)?.migrate ?? true
        try await SchemaPreparation(schema: schema, migrates: migrates, migrations, log: log, pacing: pacing)
            .prepare(database)
    }

    /// Leads a database that `connect` has made somewhere else from now on; its schema has the same name there.
    public func lead(_ database: Database, to settings: DatabaseSettings) async throws(ConfigurationError) {
        let configuration = try settings.configuration(application: name, loops: loops.loops.count)
        databases.replace(settings, of: database)
        await database.lead(to: configuration.connectionInfo)
    }

    /// The same for the way back to the service's own database.
    public func leadHome(_ database: Database) async throws(ConfigurationError) {
        guard let settings = settings(ofSchema: database.configuration.searchPath.first ?? "") else {
            return await database.lead(to: self.database.configuration.connectionInfo)
        }
        try await lead(database, to: settings)
    }

    /// Closes a database that `connect` has made and that is not needed any longer.
    public func disconnect(_ database: Database) async {
        databases.remove(database)
        await database.close()
    }
}
