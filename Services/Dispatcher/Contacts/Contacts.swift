import Contracts
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Telling emergency contacts, wired together (README.md in this folder).
struct Contacts: Sendable {
    private static let tidyInterval = Duration.seconds(60)
    /// Messages that belong to no incident; those of incidents go with them.
    private static let messageDays = 90

    let store: ContactStore
    let desk: ContactDesk
    let sender: ContactSender
    let queue: ContactQueue
    let own: OwnContacts
    let times: ContactTimes
    private let caller: HookCaller
    private let routes: ContactRoutes
    private let statusRoutes: MessageStatusRoutes
    private let ownRoutes: OwnContactRoutes

    /// `hooks` are those for text messages and calls. `tls` verifies their certificates.
    init(
        _ context: ServiceContext<DispatcherSettings>, cipher: FieldCipher, incidents: IncidentStore,
        enrolments: EnrolmentStore, hooks: MessageHooks, tls: TLSContext?, times: ContactTimes
    ) {
        let (database, clock, log) = (context.database, context.clock, context.log)
        let keys = ContactKeys(master: context.keys.blindIndex)
        let tokens = MessageToken(master: context.keys.blindIndex)
        self.times = times
        store = ContactStore(database: database, keys: keys, times: times)
        queue = ContactQueue(database: database, cipher: cipher, times: times)
        // Connections of its own: none to an ambulance service is ever waited for because of a provider of text messages.
        caller = HookCaller(loops: context.loops, tls: tls, clock: clock)
        desk = ContactDesk(
            incidents: incidents, enrolments: enrolments, store: store, queue: queue, hooks: hooks, log: log)
        sender = ContactSender(
            queue: queue, desk: desk, hooks: hooks, caller: caller, tokens: tokens,
            accounts: context.peers[ServiceName.accounts.rawValue], texts: ContactTexts(log: log),
            audit: incidents.audit, baseURL: context.baseURL, metrics: ContactMetrics(context.metrics), log: log,
            clock: clock)
        own = OwnContacts(database: database, keys: keys)
        routes = ContactRoutes(store: store, incidents: incidents, clock: clock)
        statusRoutes = MessageStatusRoutes(
            queue: queue, filled: desk.filled, hooks: hooks, tokens: tokens, clock: clock,
            ignoredMembers: .ignoredMembers(of: "message-status", context.metrics))
        ownRoutes = OwnContactRoutes(enrolments: enrolments, contacts: own)
    }

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        let (desk, database, caller) = (desk, store.database, caller)
        parts.http { [routes, statusRoutes, ownRoutes] all in
            routes.add(to: &all)
            statusRoutes.add(to: &all)
            ownRoutes.add(to: &all)
        }
        parts.tasks.append(BackgroundTask("contacts") { await desk.run() })
        parts.tasks += sender.tasks
        parts.tasks.append(
            .periodic("contacts-tidy", every: Self.tidyInterval, pacing: pacing) {
                try await database.batch(ContactStore.tidying)
            })
        parts.retention.append(
            RetentionRule(
                "contact-messages", days: Self.messageDays, table: "contact_message", column: "created_at",
                where: "incident is null", in: database))
        parts.atStop.append { caller.close() }
    }
}
