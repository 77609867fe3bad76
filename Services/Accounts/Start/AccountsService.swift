import Contracts
import Feed
import Postgres
import Security
import Service

/// Accounts and identity (ACC).
enum AccountsService: ServiceDefinition {
    static let name = ServiceName.accounts.rawValue
    static let migrations = [
        Migration(1, "start", PackageResources._001_start_sql),
        FeedSchema.producer(2, feeds: [Accounts.changesFeed, Accounts.revocationsFeed, Accounts.profilesFeed]),
        Migration(3, "revocation", PackageResources._003_revocation_sql),
        Migration(4, "limits", PackageResources._004_limits_sql),
    ]
    static let openAPI = PackageResources.openapi_json

    static func build(_ context: ServiceContext<AccountsSettings>) async throws -> ServiceParts {
        let settings = context.settings
        return try Capabilities(
            context, signingKey: try Ed25519Key.load(file: settings.signingKeyFile),
            carrier: try Maildir(settings.mailDirectory), mailFrom: settings.mailFrom, hasher: try PasswordHasher(),
            terms: .current
        ).parts(pacing: context.pacing)
    }
}
