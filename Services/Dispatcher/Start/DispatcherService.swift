import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// AutomatedSOS: watches enrolled people's vital signs and hands emergencies over to ambulance services (SOS).
enum DispatcherService: ServiceDefinition {
    static let name = ServiceName.dispatcher.rawValue
    static let migrations = [
        Migration(1, "start", PackageResources._001_start_sql),
        FeedSchema.producer(2, feeds: [Dispatcher.watchFeed]), FeedSchema.consumer(3), ErasureSchema.follower(4),
        AuditSchema.people(5), KeyDestruction.migration(6),
    ]
    static let openAPI = PackageResources.openapi_json

    static func check(_ settings: DispatcherSettings) throws(ConfigurationError) {
        try settings.check()
        _ = try HooksFile.load(settings.hooksFile)
    }

    static func build(_ context: ServiceContext<DispatcherSettings>) async throws -> ServiceParts {
        let tls: TLSContext
        do throws(IOError) { tls = try TLSContext.client(oldest: .tls12) } catch {
            throw ConfigurationError("The system's certificate authorities cannot be read: \(error).")
        }
        try context.settings.check()
        var parts = build(
            context, keys: try context.connectKeyStore(context.settings.keystore, peopleMax: WatchedKeys.peopleMax),
            hooks: Hooks(try HooksFile.load(context.settings.hooksFile)), tls: tls, times: context.settings.times)
        let pages = try SOSPages(assets: context.assets)
        parts.http { pages?.add(to: &$0) }
        return parts
    }

    /// As `build`, with what tests give instead of files and long times.
    static func build(
        _ context: ServiceContext<DispatcherSettings>, keys: SubjectKeys, hooks: Hooks, tls: TLSContext?,
        times: HandOverTimes
    ) -> ServiceParts {
        let capabilities = Capabilities(context, keys: keys, hooks: hooks, tls: tls, times: times)
        var parts = ServiceParts()
        // Alarms go on without it.
        parts.needsDatabase = false
        capabilities.add(to: &parts, pacing: context.pacing)
        let path = context.settings.hooksFile
        parts.atReload.append {
            hooks.replace(try HooksFile.load(path))
            try tls?.reload()
        }
        return parts
    }
}
