import Contracts
import Feed
import Postgres
import Primitives
import Reactor
import Service

/// The operator's alarms and the dead man's switch, wired together (README.md in this folder).
struct Alarms: Sendable {
    private static let days = 365

    let bell: AlarmBell
    let desk: AlarmDesk
    let mass: MassWatch
    private let routes: AlarmRoutes
    private let methods: AlarmMethods
    private let caller: HookCaller

    init(
        _ context: ServiceContext<DispatcherSettings>, bell: AlarmBell, incidents: IncidentStore, hooks: MessageHooks,
        tls: TLSContext?, times: AlarmTimes
    ) {
        self.bell = bell
        let store = AlarmStore(database: context.database, times: times)
        // Connections of its own.
        caller = HookCaller(loops: context.loops, tls: tls, clock: context.clock)
        mass = MassWatch(incidents: incidents, times: times, log: context.log)
        desk = AlarmDesk(
            context, store: store, bell: bell,
            places: AlarmPlaces(hooks: hooks, settings: context.settings.alarms ?? AlarmSettings()), caller: caller,
            mass: mass)
        methods = AlarmMethods(store: store, audit: incidents.audit)
        routes = AlarmRoutes(
            store: store, hooks: hooks, audit: incidents.audit, clock: context.clock,
            ignoredMembers: .ignoredMembers(of: "alarm-acknowledgements", context.metrics))
    }

    func add(to parts: inout ServiceParts) {
        let (desk, caller) = (desk, caller)
        parts.http { [routes] in routes.add(to: &$0) }
        methods.register(in: &parts.rpc)
        parts.tasks.append(BackgroundTask("operator-alarms", carriesAlarms: true) { await desk.run() })
        parts.retention.append(
            RetentionRule(
                "operator-alarms", days: Self.days, table: "operator_alarm", column: "last_at",
                where: "over_at is not null", in: desk.store.database))
        parts.atStop.append { caller.close() }
    }
}
