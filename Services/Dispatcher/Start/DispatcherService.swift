import Contracts
import Domain
import Edge
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
        Migration(1, "start", PackageResources._0001_start_sql),
        FeedSchema.producer(2, feeds: [Dispatcher.watchFeed, Dispatcher.wearersFeed]), FeedSchema.consumer(3),
        ErasureSchema.follower(4),
        AuditSchema.people(5), KeyDestruction.migration(6), TokenTrust.migration(7),
        Migration(8, "journal", PackageResources._0002_journal_sql),
        Migration(9, "thresholds", PackageResources._0003_thresholds_sql),
        Migration(10, "wearers", PackageResources._0004_wearers_sql),
        Migration(11, "contacts", PackageResources._0005_contacts_sql),
        Migration(12, "alarms", PackageResources._0006_alarms_sql),
        Migration(13, "payments", PackageResources._0007_payments_sql),
        Migration(14, "monitors", PackageResources._0008_monitors_sql),
    ]
    static let subcommands = [
        Subcommand<DispatcherService>(AlarmCommand.name, AlarmCommand.summary) { context, arguments in
            Console.say(try await AlarmCommand(context).run(arguments))
        },
        Subcommand<DispatcherService>(IncidentCommand.name, IncidentCommand.summary) { context, arguments in
            let answer = try await IncidentCommand(context).run(arguments)
            Console.say(answer.text)
            if let fault = answer.fault { throw fault }
        },
    ]
    static let openAPI = PackageResources.openapi_json

    static func check(_ settings: DispatcherSettings) throws(ConfigurationError) {
        try settings.check()
        _ = try HooksFile.load(settings.hooksFile)
        _ = try MessageHooksFile.load(settings.messageHooksFile)
        if let payments = settings.payments { _ = try BrokerHook.load(payments.broker) }
    }

    static func remarks(_ settings: DispatcherSettings) throws(ConfigurationError) -> [String] {
        let content = try HooksFile.content(settings.hooksFile)
        return content.remarks + CoverageReport(content.hooks.map { ($0.name, $0.area) }).lines
    }

    static var tools: [Tool] {
        [
            Tool("conformance", ConformanceCommand.summary) { loops, arguments in
                try await ConformanceCommand(arguments).run(on: loops)
            }
        ]
    }

    static func build(_ context: ServiceContext<DispatcherSettings>) async throws -> ServiceParts {
        let tls: TLSContext
        do throws(IOError) { tls = try TLSContext.client(oldest: .tls12) } catch {
            throw ConfigurationError("The system's certificate authorities cannot be read: \(error).")
        }
        try context.settings.check()
        var parts = build(
            context, keys: try context.connectKeyStore(context.settings.keystore, peopleMax: WatchedKeys.peopleMax),
            hooks: Hooks(try HooksFile.load(context.settings.hooksFile)),
            messageHooks: MessageHooks(try MessageHooksFile.load(context.settings.messageHooksFile)), tls: tls,
            times: context.settings.times, broker: try broker(context.settings),
            journal: try LocalJournal(
                JournalDirectory(context.settings.journalPath), cipher: FieldCipher(context.keys.fields),
                log: context.log))
        let pages = try SOSPages(assets: context.assets, ageMin: context.settings.enrolmentAgeMin)
        parts.http { pages?.add(to: &$0) }
        return parts
    }

    /// Who takes payments; `nil` where there are none.
    private static func broker(_ settings: DispatcherSettings) throws(ConfigurationError) -> Replaceable<BrokerHook>? {
        guard let payments = settings.payments else { return nil }
        return Replaceable(try BrokerHook.load(payments.broker))
    }

    /// As `build`, with what tests give instead of files and long times.
    static func build(
        _ context: ServiceContext<DispatcherSettings>, keys: SubjectKeys, hooks: Hooks, messageHooks: MessageHooks,
        tls: TLSContext?, times: HandOverTimes, broker: Replaceable<BrokerHook>? = nil, journal: LocalJournal
    ) -> ServiceParts {
        let capabilities = Capabilities(
            context, keys: keys, hooks: hooks, messageHooks: messageHooks, tls: tls, times: times, broker: broker,
            journal: journal)
        var parts = ServiceParts()
        // Alarms go on without it.
        parts.needsDatabase = false
        capabilities.add(to: &parts, pacing: context.pacing)
        let (path, messagePath) = (context.settings.hooksFile, context.settings.messageHooksFile)
        let payments = context.settings.payments
        parts.atReload.append {
            hooks.replace(try HooksFile.load(path))
            messageHooks.replace(try MessageHooksFile.load(messagePath))
            if let broker, let payments { broker.replace(try BrokerHook.load(payments.broker)) }
            try tls?.reload()
        }
        return parts
    }
}
