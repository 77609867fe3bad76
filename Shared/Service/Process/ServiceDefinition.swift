public import Postgres
public import Reactor

/// What makes a service: its name, its schema, and how its parts are built. `ServiceProcess.main` does the rest, so
/// that a service's `main.swift` is `ServiceProcess.main(AccountsService.self)`.
public protocol ServiceDefinition: Sendable {
    /// The member `settings` of the configuration file; unknown members are refused.
    associatedtype Settings: Decodable & Sendable

    /// As in the configuration, the certificate and the paths: `accounts`.
    static var name: String { get }
    /// The history of the service's own schema.
    static var migrations: [Migration] { get }
    /// `DatabaseConfiguration.keepsPlans` of its databases.
    static var keepsPlans: Bool { get }
    /// The OpenAPI document, as JSON; it is compiled in.
    static var openAPI: [UInt8] { get }
    /// The service's own subcommands for operators.
    static var subcommands: [Subcommand<Self>] { get }
    /// Subcommands that need neither configuration nor database: for people who have no deployment.
    static var tools: [Tool] { get }

    /// The columns that are sealed with the service's field keys, for `trackme-NAME keys`.
    static func sealedColumns(_ context: ServiceContext<Settings>) async throws -> [SealedDatabase]

    /// Its schemas beside its own, for the subcommands `migrate` and `check --connect`. Called when its own one is up to date.
    static func furtherSchemas(_ context: ServiceContext<Settings>) async throws -> [FurtherSchema]

    /// Checks what can be known without starting: files that the settings name, say. Throws a sentence.
    static func check(_ settings: Settings) throws(ConfigurationError)

    /// What `trackme-NAME check` tells beside what `check` throws: sentences about what is allowed, and perhaps not meant.
    static func remarks(_ settings: Settings) throws(ConfigurationError) -> [String]

    /// Puts the service together. Called once, when the database is there and its schema up to date; what runs on its
    /// own belongs into `ServiceParts.tasks`.
    static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts
}

extension ServiceDefinition {
    public static var keepsPlans: Bool { false }
    public static var subcommands: [Subcommand<Self>] { [] }
    public static func sealedColumns(_ context: ServiceContext<Settings>) async throws -> [SealedDatabase] { [] }
    public static func furtherSchemas(_ context: ServiceContext<Settings>) async throws -> [FurtherSchema] { [] }
    public static var tools: [Tool] { [] }
    public static func check(_ settings: Settings) throws(ConfigurationError) {}
    public static func remarks(_ settings: Settings) throws(ConfigurationError) -> [String] { [] }

    /// Its own subcommands, and those that every service has.
    static var allSubcommands: [Subcommand<Self>] {
        subcommands + [
            Subcommand(KeyCommand.name, KeyCommand.summary) { context, arguments in
                try await KeyCommand.run(
                    arguments, try await sealedColumns(context), keys: context.keys, say: { Console.say($0) })
            },
            Subcommand(AuditCommand.name, AuditCommand.summary) { context, arguments in
                Console.say(try await AuditCommand.run(arguments, AuditTrail(database: context.database)))
            },
        ]
    }

    /// The program: `trackme-accounts`.
    static var program: String { "trackme-\(name)" }
}

/// A schema that a service has beside its own: the key store's, a shard's.
public struct FurtherSchema: Sendable {
    let migrations: Migrations
    let database: Database

    public init(_ schema: String, _ migrations: [Migration], in database: Database) {
        self.migrations = Migrations(schema: schema, migrations)
        self.database = database
    }
}

/// A subcommand that needs neither configuration nor database.
public struct Tool: Sendable {
    public let name: String
    /// What `help` says of it, in one line.
    public let summary: String
    let run: @Sendable (EventLoopGroup, [String]) async throws -> Void

    /// `run` gets loops, and the arguments after the name; a `CommandMistake` is shown, and the program ends with
    /// `ExitCode.failure`, or with `usage` for a `UsageMistake`.
    public init(
        _ name: String, _ summary: String, run: @escaping @Sendable (EventLoopGroup, [String]) async throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}

/// A subcommand of its own that a service has for its operators.
public struct Subcommand<Definition: ServiceDefinition>: Sendable {
    public let name: String
    /// What `help` says of it, in one line.
    public let summary: String
    let run: @Sendable (ServiceContext<Definition.Settings>, [String]) async throws -> Void

    /// `run` gets a context with a database whose schema is up to date, and the arguments after the subcommand's name
    /// and options; what it throws is shown, and the program ends with `ExitCode.failure`.
    public init(
        _ name: String, _ summary: String,
        run: @escaping @Sendable (ServiceContext<Definition.Settings>, [String]) async throws -> Void
    ) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}
