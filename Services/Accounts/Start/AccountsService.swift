import Contracts
import Feed
import Postgres
import Reactor
import Security
import Service

/// Accounts and identity (ACC).
enum AccountsService: ServiceDefinition {
    static let name = ServiceName.accounts.rawValue
    static let migrations = [
        Migration(1, "start", PackageResources._0001_start_sql),
        FeedSchema.producer(
            2,
            feeds: [Accounts.changesFeed, Accounts.revocationsFeed, Accounts.profilesFeed, Accounts.erasuresFeed]),
        ErasureSchema.database(3),
        Migration(4, "operators", PackageResources._0004_operators_sql),
        Migration(5, "messages", PackageResources._0005_messages_sql),
        KeyDestruction.migration(6),
    ]
    static let openAPI = PackageResources.openapi_json
    static let subcommands = [
        Subcommand<AccountsService>(SigningKeyCommand.name, SigningKeyCommand.summary) { context, arguments in
            try await SigningKeyCommand.run(arguments, context.database)
        },
        Subcommand<AccountsService>(OperatorCommand.name, OperatorCommand.summary) { context, arguments in
            let provisioning = Capabilities.provisioning(context, try await store(context))
            Console.say(try await OperatorCommand(provisioning).run(arguments))
        },
        Subcommand<AccountsService>(SourcesCommand.name, SourcesCommand.summary) { context, arguments in
            Console.say(try await SourcesCommand(store: try await store(context)).run(arguments))
        },
        Subcommand<AccountsService>(BounceCommand.name, BounceCommand.summary) { context, arguments in
            // Nobody waits for the key store: the mail transfer agent tries again.
            try await BounceCommand.run(
                arguments, Capabilities.store(context, try context.connectKeyStore(context.settings.keystore)),
                ReturnPath(address: context.settings.mailBounces, indexKey: context.keys.blindIndex))
        },
    ]

    static func check(_ settings: AccountsSettings) throws(ConfigurationError) {
        for client in settings.provisioningClients ?? [] where !AccountsRPC.provisioningClientsMax.contains(client) {
            throw ConfigurationError(
                "\(client) cannot be among provisioning_clients; there are "
                    + "\(AccountsRPC.provisioningClientsMax.sorted().joined(separator: ", ")).")
        }
        try settings.checkMail()
        _ = try settings.supportContact()
        do throws(SecurityError) { _ = try settings.signingKeys() } catch {
            throw ConfigurationError("The signing key cannot be read: \(error).")
        }
        do throws(SecurityError) { _ = try settings.push?.key() } catch {
            throw ConfigurationError("The key of Web push cannot be read: \(error).")
        }
    }

    static func sealedColumns(_ context: ServiceContext<AccountsSettings>) async throws -> [SealedDatabase] {
        [
            SealedDatabase(PersonalColumns.ServiceColumn.allCases.map(\.sealed), in: context.database),
            try await context.sealedKeyStore(context.settings.keystore),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<AccountsSettings>) async throws -> [FurtherSchema] {
        [try context.keyStoreSchema(context.settings.keystore)]
    }

    private static func store(_ context: ServiceContext<AccountsSettings>) async throws -> Store {
        Capabilities.store(context, try await context.openKeyStore(context.settings.keystore))
    }

    static func build(_ context: ServiceContext<AccountsSettings>) async throws -> ServiceParts {
        let settings = context.settings
        var push: PushPart?
        if let pushing = settings.push {
            let tls: TLSContext
            do throws(IOError) { tls = try TLSContext.client(oldest: .tls12) } catch {
                throw ConfigurationError("The system's certificate authorities cannot be read: \(error).")
            }
            push = PushPart(key: try pushing.key(), allowPrivate: pushing.allowPrivate ?? false, tls: tls)
        }
        return try await Capabilities(
            context, keys: try await context.openKeyStore(settings.keystore),
            signingKeys: { () throws(SecurityError) in try settings.signingKeys() },
            carrier: try settings.carrier(), mailFrom: settings.mailFrom, mailBounces: settings.mailBounces,
            hasher: try PasswordHasher(),
            terms: .current, provisioningClients: Set(settings.provisioningClients ?? []), push: push,
            support: try settings.supportContact()
        ).parts(pacing: context.pacing)
    }
}
