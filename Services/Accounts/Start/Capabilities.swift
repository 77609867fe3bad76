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

/// Everything that this service can do, wired together.
struct Capabilities: Sendable {
    /// All of them may follow revocations and erasures.
    private static let otherServices = Set(ServiceName.allCases.filter { $0 != .accounts }.map(\.rawValue))
    static let mailFromDefault = "no-reply@trackme.localhost.localdomain"

    let store: Store
    let keys: SigningKeys
    let issuer: TokenIssuer
    let registration: Registration
    let confirmation: Confirmation
    let login: Login
    let warnings: LoginWarnings
    let sessions: Sessions
    let passwords: PasswordChange
    let resets: PasswordReset
    let erasures: Erasures
    let restoredAccounts: RestoredAccounts
    let restoredKeys: RestoredKeyStore
    let exports: DataExports
    let secondFactor: SecondFactor
    let passkeys: Passkeys
    let exportWorker: ExportWorker
    let directory: Directory
    let audit: AuditTrail
    private let dispatcher: any RPCCaller
    let auditUpkeep: AuditUpkeep
    let provisioning: Provisioning
    let inboxWatch: InboxWatch
    let mail: MailSender
    let mailCount: MailCount
    let push: PushPart?
    let pushes: PushSender?
    let formats: MessageFormats
    let hasher: PasswordHasher
    let terms: TermsCatalogue
    let provisioningClients: Set<String>
    let baseURL: String
    let pages: AccountPages?
    private let withholding: Withholding

    /// `signingKeys` reads the files.
    init<Settings>(
        _ context: ServiceContext<Settings>, keys subjectKeys: SubjectKeys,
        signingKeys: @escaping @Sendable () throws(SecurityError) -> SigningKeyRing, carrier: any MailCarrier,
        mailFrom: EmailAddress?, mailBounces: EmailAddress?, hasher: PasswordHasher, terms: TermsCatalogue,
        provisioningClients: Set<String>,
        push: PushPart?, support: SupportContact?
    ) async throws {
        store = Self.store(context, subjectKeys)
        keys = try SigningKeys(store: store, log: context.log, load: signingKeys)
        try await keys.update()
        issuer = TokenIssuer(keys: keys, clock: context.clock)
        baseURL = context.baseURL
        withholding = context.withholding
        self.hasher = hasher
        self.terms = terms
        let sender = try mailFrom ?? EmailAddress(validating: Self.mailFromDefault)
        pages = try AccountPages(
            terms: terms, support: support ?? SupportContact(sender), assets: context.assets)
        self.provisioningClients = provisioningClients
        let subjects = SubjectNumbers()
        confirmation = Confirmation(store: store, baseURL: context.baseURL, subjects: subjects)
        registration = Registration(store: store, hasher: hasher, terms: terms, confirmation: confirmation)
        sessions = Sessions(store: store, issuer: issuer)
        let attempts = LoginAttempts(store: store)
        warnings = LoginWarnings(store: store)
        login = Login(
            store: store, hasher: hasher, attempts: attempts,
            wrongTries: AddressLimit(
                max: Login.wrongPerAddressMax, window: Login.wrongWindow, clock: context.clock),
            warnings: warnings, sessions: sessions, terms: terms,
            passkeys: PasskeyAssertions(store: store, relyingParty: RelyingParty(baseURL: context.baseURL)))
        let proof = PasswordProof(store: store, hasher: hasher, attempts: attempts)
        passwords = PasswordChange(
            store: store, hasher: hasher, proof: proof, sessions: sessions, profiles: Profiles(store: store))
        resets = PasswordReset(
            store: store, baseURL: context.baseURL, hasher: hasher, sessions: sessions, profiles: passwords.profiles,
            confirmation: confirmation)
        erasures = Erasures(
            store: store, proof: proof, subjects: subjects, baseURL: context.baseURL,
            awaited: context.feeds[Accounts.erasuresFeed]?.consumers ?? Self.otherServices)
        exports = DataExports(store: store, proof: proof)
        secondFactor = SecondFactor(store: store, proof: proof, sessions: sessions)
        passkeys = Passkeys(
            store: store, proof: proof, sessions: sessions, relyingParty: RelyingParty(baseURL: context.baseURL))
        audit = AuditTrail(database: context.database)
        auditUpkeep = AuditUpkeep(audit, context)
        directory = Directory(store: store, audit: audit)
        provisioning = Self.provisioning(context, store)
        formats = try MessageFormats()
        let neighbours = ServiceName.allCases.filter { context.peers.contains($0.rawValue) }
        dispatcher = context.peers[ServiceName.dispatcher.rawValue]
        let callers = Dictionary(uniqueKeysWithValues: neighbours.map { ($0, context.peers[$0.rawValue]) })
        restoredAccounts = RestoredAccounts(
            erasures: erasures,
            restored: RestoredDatabase(context.database, context.withholding, log: context.log), peers: callers,
            log: context.log)
        restoredKeys = RestoredKeyStore(
            subjectKeys, context, destroyedBy: KeyDestruction(of: subjectKeys, in: context.database))
        exportWorker = ExportWorker(
            exports: exports,
            own: OwnExport(
                store: store, formats: formats, sessions: sessions, factor: secondFactor, passkeys: passkeys),
            peers: callers,
            log: context.log)
        mail = MailSender(
            store: store, formats: formats, carrier: carrier, sender: MailAddress(name: "TrackMe", address: sender),
            returnPath: ReturnPath(address: mailBounces, indexKey: context.keys.blindIndex), baseURL: context.baseURL,
            withholding: context.withholding, log: context.log)
        inboxWatch = InboxWatch(database: context.database)
        mailCount = MailCount(
            store: store, withholding: context.withholding, metrics: context.metrics, log: context.log)
        self.push = push
        pushes = if let push { Self.pushSender(push, subject: "mailto:\(sender)", store, context) } else { nil }
    }

    static func provisioning<Settings>(_ context: ServiceContext<Settings>, _ store: Store) -> Provisioning {
        Provisioning(
            store: store, subjects: SubjectNumbers(), audit: AuditTrail(database: context.database),
            invitations: Invitations(store: store, baseURL: context.baseURL))
    }

    static func store<Settings>(_ context: ServiceContext<Settings>, _ keys: SubjectKeys) -> Store {
        let columns = PersonalColumns(
            cipher: FieldCipher(context.keys.fields), indexKey: context.keys.blindIndex)
        return Store(
            database: context.database, keys: keys, columns: columns, clock: context.clock,
            feeds: feeds(context, keys, columns), unreadable: context.unreadable, log: context.log,
            mailArrived: EventCounter(),
            pushArrived: EventCounter())
    }

    private static func pushSender<Settings>(
        _ push: PushPart, subject: String, _ store: Store, _ context: ServiceContext<Settings>
    ) -> PushSender {
        PushSender(
            store: store,
            caller: PushCaller(
                push.key, subject: subject, allowPrivate: push.allowPrivate, on: context.loops.loops[0], tls: push.tls,
                clock: context.clock),
            outcomes: context.metrics.counters(
                "trackme_pushes_total", "Attempts to send push messages, by outcome.", labels: ["outcome"]),
            withholding: context.withholding, log: context.log)
    }

    func parts(pacing: any Pacing) -> ServiceParts {
        var parts = ServiceParts()
        let authentication = OpenSessions(store: store).authentication(keys)
        parts.authentication = authentication
        addRoutes(to: &parts, authentication.authenticator)
        addOperators(to: &parts)
        addMethods(to: &parts)
        addTasks(to: &parts, pacing: pacing)
        return parts
    }

    private func addRoutes(to parts: inout ServiceParts, _ authenticator: Authenticator) {
        let registrationLimit = AddressLimit(
            max: Registration.perAddressMax, window: Registration.addressWindow, clock: store.clock)
        let resetLimit = AddressLimit(
            max: PasswordReset.perAddressMax, window: PasswordReset.addressWindow, clock: store.clock)
        let pairingLimit = AddressLimit(
            max: Pairings.openPerAddressMax, window: Pairings.triesWindow, clock: store.clock)
        let redemptionLimit = AddressLimit(
            max: OwnerPairings.triesPerAddressMax, window: Pairings.triesWindow, clock: store.clock)
        let linkLimit = AddressLimit(
            max: Confirmation.perAddressMax, window: Confirmation.addressWindow, clock: store.clock)
        let placeLimit = AddressLimit(
            max: PlaceRoutes.searchesPerAddressMax, window: PlaceRoutes.addressWindow, clock: store.clock)
        let tries = LinkTries(clock: store.clock)
        parts.http { routes in
            RegistrationRoutes(registration: registration, limit: registrationLimit).add(to: &routes)
            TermsRoutes(terms: terms, baseURL: baseURL).add(to: &routes)
            PlaceRoutes(table: .standard, limit: placeLimit).add(to: &routes)
            ConfirmationRoutes(confirmation: confirmation, limit: linkLimit, tries: tries).add(to: &routes)
            PasswordResetRoutes(reset: resets, limit: resetLimit, tries: tries).add(to: &routes)
            SessionRoutes(login: login, sessions: sessions).add(to: &routes)
            BrowserSessionRoutes(login: login, sessions: sessions, authenticator: authenticator).add(to: &routes)
            ProfileRoutes(profiles: passwords.profiles, passwords: passwords).add(to: &routes)
            PictureRoutes(pictures: Pictures(store: store)).add(to: &routes)
            DeviceRoutes(
                pairings: Pairings(store: store), devices: Devices(store: store), limit: pairingLimit,
                redemptionLimit: redemptionLimit
            ).add(to: &routes)
            CollectionRoutes(collection: DataCollection(store: store)).add(to: &routes)
            ConsentRoutes(consents: Consents(store: store)).add(to: &routes)
            SourceRoutes(preferences: SourcePreferences(store: store)).add(to: &routes)
            ClientRoutes(clients: Clients(store: store)).add(to: &routes)
            let inbox = Inbox(store: store, formats: formats)
            InboxRoutes(inbox: inbox).add(to: &routes)
            InboxEvents(
                inbox: inbox, watch: inboxWatch, authenticator: authenticator, sessions: OpenSessions(store: store)
            ).add(to: &routes)
            ErasureRoutes(erasures: erasures, tries: tries).add(to: &routes)
            ExportRoutes(exports: exports).add(to: &routes)
            SecondFactorRoutes(factor: secondFactor).add(to: &routes)
            PasskeyRoutes(passkeys: passkeys).add(to: &routes)
            NotificationRoutes(choices: NotificationChoices(store: store)).add(to: &routes)
            PushRoutes(
                subscriptions: PushSubscriptions(store: store, allowPrivate: push?.allowPrivate ?? false),
                key: push?.key
            ).add(to: &routes)
            ApplicationRoutes(authorizations: Authorizations(store: store, issuer: baseURL)).add(to: &routes)
            TokenRoutes(
                credentials: ClientCredentials(store: store, issuer: issuer),
                applications: ApplicationTokens(store: store, issuer: issuer), keys: keys
            ).add(to: &routes)
            pages?.add(to: &routes)
        }
    }

    private func addOperators(to parts: inout ServiceParts) {
        let sessions = OperatorSessions(store: store)
        let login = OperatorLogin(store: store, hasher: hasher, sessions: sessions, audit: audit)
        let acts = OperatorActRoutes(
            sessions: sessions, search: AccountSearch(store: store, audit: audit),
            admission: Admission(store: store, audit: audit), suspension: Suspension(store: store, audit: audit),
            applications: SourceApplications(store: store, audit: audit),
            queues: QueueView(store: store, audit: audit), audit: AuditView(store: store, audit: audit),
            people: ProvisionFile(provisioning: provisioning),
            alarms: SOSAlarms(dispatcher: dispatcher, store: store, audit: audit))
        parts.operators(document: PackageResources.operators_openapi_json) { routes in
            OperatorSessionRoutes(login: login).add(to: &routes)
            acts.add(to: &routes)
        }
    }

    private func addMethods(to parts: inout ServiceParts) {
        AccountsRPC(
            directory: directory, provisioning: provisioning, issuer: issuer,
            admission: Admission(store: store, audit: audit),
            suspension: Suspension(store: store, audit: audit),
            erasures: erasures, keys: keys, withholding: withholding,
            provisioningClients: provisioningClients
        ).add(to: &parts.rpc)
    }

    private func addTasks(to parts: inout ServiceParts, pacing: any Pacing) {
        let (mail, mailCount, warnings, hasher, keys) = (mail, mailCount, warnings, hasher, keys)
        let (resets, collection) = (resets, DataCollection(store: store))
        let (releases, upkeep) = (ProfileReleases(store: store), Upkeep(store: store))
        let (erasures, subjectReleases) = (erasures, SubjectReleases(store: store))
        let (withdrawals, inboxWatch) = (ApplicationWithdrawals(store: store), inboxWatch)
        parts.publish(store.feeds)
        parts.tasks += [
            .periodic("application-withdrawals", every: ApplicationWithdrawals.interval, pacing: pacing) {
                try await withdrawals.removeDue()
            },
            .periodic("inbox-watch", every: InboxWatch.interval, pacing: pacing) { try await inboxWatch.look() },
            .periodic("mail-count", every: MailCount.interval, pacing: pacing) { try await mailCount.count() },
            .periodic("login-warnings", every: LoginWarnings.interval, pacing: pacing) {
                try await warnings.sendDue()
            },
            .periodic("collection", every: DataCollection.interval, pacing: pacing) {
                try await collection.resumeDue()
            },
            .periodic("password-resets", every: PasswordReset.interval, pacing: pacing) { try await resets.sendDue() },
            .periodic("profile-releases", every: .seconds(600), pacing: pacing) { _ = try await releases.releaseDue() },
            .periodic("subject-releases", every: SubjectReleases.interval, pacing: pacing) {
                try await subjectReleases.releaseDue()
            },
            .periodic("erasure-reminders", every: Erasures.reminderInterval, pacing: pacing) {
                try await erasures.remind()
            },
            .periodic("key-destruction", every: KeyDestruction.interval, pacing: pacing) {
                try await erasures.destroyKeys()
            },
            .periodic("signing-keys", every: SigningKeys.interval, pacing: pacing) { try await keys.update() },
            .periodic("upkeep", every: .seconds(600), pacing: pacing) { try await upkeep.run() },
        ]
        restoredAccounts.add(to: &parts, pacing: pacing)
        parts.add(store.keys, restoredKeys)
        parts.tasks += mail.tasks + (pushes?.tasks ?? []) + [exportWorker.task]
        parts.retention += upkeep.retention
        auditUpkeep.add(to: &parts, pacing: pacing)
        let (tls, caller) = (push?.tls, pushes?.caller)
        parts.atReload.append {
            try await keys.reload()
            try tls?.reload()
        }
        parts.atStop.append {
            hasher.pool.shutdown()
            caller?.close()
        }
    }

    private static func feeds<Settings>(
        _ context: ServiceContext<Settings>, _ keys: SubjectKeys, _ columns: PersonalColumns
    ) -> FeedProducer {
        let withholding = context.withholding
        let details = ChangeDetails(
            database: context.database, keys: keys, columns: columns, unreadable: context.unreadable)
        let pages = SnapshotPages(
            database: context.database, keys: keys, columns: columns, clock: context.clock,
            unreadable: context.unreadable)
        return FeedProducer(
            database: context.database,
            feeds: [
                FeedDefinition(
                    name: Accounts.changesFeed, durable: ["ingestion", "dispatcher"], bare: ["dispatcher"],
                    snapshot: { try await pages.changes(after: $0) },
                    reveal: { try await details.reveal($0) }),
                FeedDefinition(
                    name: Accounts.revocationsFeed, durable: [], ephemeral: otherServices,
                    snapshot: { try await pages.revocations(after: $0) }),
                FeedDefinition(
                    name: Accounts.profilesFeed, durable: ["query"],
                    snapshot: { try await pages.profiles(after: $0) },
                    // It would have the profiles of who was erased since the backup.
                    isHeld: { withholding.isOn }),
                FeedDefinition(
                    name: Accounts.erasuresFeed, durable: otherServices,
                    snapshot: { try await pages.erasures(after: $0) },
                    // Who is restored, too, would have caught up with a feed that lacks what accounts has lost.
                    isHeld: { withholding.isOn }),
            ], retention: context.feeds, observer: context.observer)
    }
}
