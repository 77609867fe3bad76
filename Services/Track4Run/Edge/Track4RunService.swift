import Contracts
import Feed
import Postgres
import Service

/// Track4Run: runs, enrolments, check-ins, live tracking and rankings.
enum Track4RunService: ServiceDefinition {
    typealias Settings = Track4RunSettings

    static let name = "track4run"
    static let migrations = [
        Migration(1, "start", PackageResources._0001_start_sql),
        FeedSchema.producer(2, feeds: [Track4Run.watchFeed]),
        FeedSchema.consumer(3),
        ErasureSchema.follower(4),
        AuditSchema.people(5),
    ]
    static let openAPI = PackageResources.openapi_json

    static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts {
        try await context.settings.check(in: context.database)
        return try Track4RunParts(context, try await context.openKeyStore(context.settings.keystore)).parts()
    }
}
