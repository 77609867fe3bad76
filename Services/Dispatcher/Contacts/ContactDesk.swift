import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Finds out what contacts have to be told, and puts the messages into the queue: of incidents by looking at them as they stand on
/// disk, of all else by events (`ContactEvent`). It reads incidents and never locks or changes one, so nothing of it can delay an
/// ambulance.
struct ContactDesk: Sendable {
    private static let batchMax = 20
    /// Batches of one round: what is left comes with the next one.
    private static let batchesMax = 50

    let database: Database
    let incidents: IncidentStore
    let enrolments: EnrolmentStore
    let store: ContactStore
    let queue: ContactQueue
    let hooks: MessageHooks
    let log: Log
    private let keys: ContactKeys
    private let times: ContactTimes
    private let cipher: FieldCipher
    private let news = EventCounter()
    /// Raised when messages are in the queue.
    let filled = EventCounter()
    private let unreadable = Retries<UUID>()

    init(
        incidents: IncidentStore, enrolments: EnrolmentStore, store: ContactStore, queue: ContactQueue,
        hooks: MessageHooks, log: Log
    ) {
        database = store.database
        self.incidents = incidents
        self.enrolments = enrolments
        self.store = store
        self.queue = queue
        self.hooks = hooks
        self.log = log
        keys = store.keys
        times = store.times
        cipher = queue.cipher
    }

    /// Call after the commit of what contacts may have to be told of. Cheap, and cannot fail.
    func wake() { news.raise() }

    /// Looks after incidents and events until cancelled. Call on a loop.
    func run() async {
        await news.rounds(every: times.round) {
            try await round()
            try await EventLoop.current?.sleep(for: times.pause)
        } failed: { error in
            log.warning("contacts could not be looked after", ["error": Log.text(of: error)])
        }
    }

    /// One round: whatever fails with one part, the other is done.
    func round() async throws {
        var failure: (any Error)?
        do {
            for _ in 0..<Self.batchesMax { guard try await lookAtIncidents() == Self.batchMax else { break } }
        } catch { failure = error }
        for _ in 0..<Self.batchesMax { guard try await lookAtEvents() == Self.batchMax else { break } }
        if let failure { throw failure }
    }

    // MARK: Incidents

    /// Looks at incidents that have changed, or whose time has come; returns how many.
    func lookAtIncidents() async throws -> Int {
        let rows = try await database.query(
            """
            select i.id, t.told::text from incident i left join contact_telling t on t.incident = i.id
            where not i.is_exercise and (i.opened_at > clock_timestamp() - interval '1 day' or i.state <> 'closed')
              and t.ended_at is null and i.id <> all(\(unreadable.resting))
              and (t.incident is null or t.revision < i.revision or t.due_at <= clock_timestamp()
                or t.due_at > clock_timestamp() + interval '1 hour')
            order by i.opened_at limit \(Self.batchMax)
            """, as: UUID.self, String?.self)
        guard !rows.isEmpty else { return 0 }
        let told = Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        let found = try await incidents.records("i.id = any(\(rows.map(\.0)))")
        for incident in found.unreadable { unreadable.begin(incident.id) }
        var count = 0
        for record in found.records {
            unreadable.begin(record.id)
            let isDone: Void? = try await reporting(
                "the contacts of an emergency cannot be told", of: record.id, to: log
            ) {
                try await tell(of: record, told: told[record.id] ?? nil)
            }
            if isDone != nil {
                unreadable.succeeded(record.id)
                count += 1
            }
        }
        return count
    }

    private func tell(of record: IncidentRecord, told: String?) async throws {
        var telling = try told.map { try JSONDecoder().decode(ContactTelling.self, from: Array($0.utf8)) } ?? .init()
        let before = telling
        let age = record.clock.age
        let news = telling.follow(record.incident, at: age, times)
        let dueAt = telling.wakeAt(record.incident, times).map { record.time(at: $0) }
        // What was put away is told without measurements, which are no longer of use.
        guard let details = news.isEmpty || record.details != nil ? record.details : try await known(record) else {
            guard news.isEmpty else { throw IncidentFault.unreadable }
            return try await save(telling, before: before, of: record, dueAt: dueAt, [])
        }
        let states = try await store.states(of: record.account, in: database)
        let isFrequent = try await hasManyIncidents(record.account)
        var statements: [SQL] = []
        var messages: [ContactMessage] = []
        for contact in details.enrolment.contacts where !news.isEmpty {
            let key = keys.key(of: contact, of: record.account)
            let state = states[key] ?? .asked
            guard state != .declined, state == .confirmed || !isFrequent else { continue }
            let token = telling.isOver ? nil : OneTimeToken.random()
            let made = news.flatMap {
                self.messages($0, record, details, contact, key, isBrief: state != .confirmed, token: token?.text)
            }
            guard !made.isEmpty else { continue }
            messages += Self.newest(made)
            if let token {
                statements.append(
                    ContactStore.linking(token, record.account, key, incident: record.id, for: times.linkMax))
            }
        }
        statements += try queue.insert(messages)
        // Whoever follows a link is told for a day that it is over.
        if telling.isOver {
            statements.append(
                """
                update contact_token set until = least(until, clock_timestamp() + interval '1 day')
                where incident = \(record.id)
                """)
        }
        try await save(telling, before: before, of: record, dueAt: dueAt, statements)
    }

    private func known(_ record: IncidentRecord) async throws -> IncidentDetails? {
        try await incidents.details(of: record.id)
    }

    /// Whether contacts who have not confirmed are told no more: whoever means harm may have named them.
    private func hasManyIncidents(_ account: UUID) async throws(PostgresError) -> Bool {
        try await database.queryOne(
            """
            select count(*) > \(Int64(times.unconfirmedIncidentsMax)) from (
              select from incident where account = \(account) and not is_exercise
                and opened_at > clock_timestamp() - interval '1 day' limit \(Int64(times.unconfirmedIncidentsMax + 1))) i
            """, as: Bool.self) ?? false
    }

    /// Of what is told at once, each channel carries the newest; a call tells of the emergency whatever comes with it.
    private static func newest(_ messages: [ContactMessage]) -> [ContactMessage] {
        messages.enumerated().filter { index, message in
            !messages[(index + 1)...].contains { $0.channel == message.channel }
        }.map(\.element)
    }

    private func messages(
        _ news: ContactNews, _ record: IncidentRecord, _ details: IncidentDetails, _ contact: EmergencyContact,
        _ key: [UInt8], isBrief: Bool, token: String?
    ) -> [ContactMessage] {
        var content = ContactMessage.Content(
            contact: contact, language: ContactTexts.language(of: details.enrolment), person: nil,
            callbackPhone: details.enrolment.callbackPhone, isBrief: isBrief, happenedAt: record.openedAt,
            token: token)
        if let person = details.person { content.person = "\(person.name) \(person.surname)" }
        content.cause = details.findings.last?.type.name
        content.sosPressed = details.manual?.at
        (content.position, content.home) = (details.fixes.first, details.enrolment.address)
        let kind: ContactMessage.Kind
        switch news {
        case .emergency: kind = .emergency
        case .accepted(let service): (kind, content.service) = (.accepted, service)
        case .handedBack: kind = .handedBack
        case .unanswered: kind = .unanswered
        case .over(let outcome): (kind, content.outcome) = (.over, outcome)
        }
        // The same kind may come twice in an incident, with another revision.
        return made(
            kind, named: "\(kind.rawValue) \(record.revision)", of: record.id, record.account, incident: record.id,
            content,
            key)
    }

    private func made(
        _ kind: ContactMessage.Kind, named name: String, of cause: UUID, _ account: UUID, incident: UUID?,
        _ content: ContactMessage.Content, _ key: [UInt8]
    ) -> [ContactMessage] {
        let channels = kind.channels.filter { isThere($0, content.contact) }
        var content = content
        // A call refers to a written message for the position: here there is none.
        if channels == [.call] { content.position = nil }
        return channels.map { channel in
            ContactMessage(
                id: ContactMessage.id(name, of: cause, to: key, by: channel), account: account, contact: key,
                incident: incident, channel: channel, kind: kind, content: content)
        }
    }

    private func isThere(_ channel: ContactMessage.Channel, _ contact: EmergencyContact) -> Bool {
        guard let kind = channel.hooks else { return contact.email != nil }
        return !hooks.all(kind).isEmpty
    }

    /// Nothing when another replica has told it meanwhile.
    private func save(
        _ telling: ContactTelling, before: ContactTelling, of record: IncidentRecord, dueAt: Timestamp?,
        _ statements: [SQL]
    ) async throws {
        let new = PostgresJSON(try JSONEncoder().encode(telling))
        let old = PostgresJSON(try JSONEncoder().encode(before))
        let filled = filled
        try await database.transaction { transaction in
            let isThere = try await transaction.queryOne(Self.holding(record.account), as: Bool.self) ?? false
            let isOurs = try await transaction.execute(
                """
                insert into contact_telling as t (incident, revision, told, due_at, ended_at)
                values (\(record.id), \(record.revision), \(new), \(dueAt),
                  case when \(telling.isOver) then clock_timestamp() end)
                on conflict on constraint contact_telling_key do update
                set revision = greatest(t.revision, excluded.revision), told = excluded.told, due_at = excluded.due_at,
                  ended_at = excluded.ended_at
                where t.told = \(old) and t.ended_at is null
                """)
            guard isOurs > 0 else { return }
            if isThere, !statements.isEmpty { try await transaction.batch(statements) }
            transaction.afterCommit { filled.raise() }
        }
    }

    /// Whoever is erased meanwhile is erased afterwards, with what is written here, or before: then nothing is to be written.
    private static func holding(_ account: UUID) -> SQL {
        "select true from enrolment where account = \(account) for key share"
    }

    // MARK: Events

    private struct Event: Sendable {
        let id: UUID
        let account: UUID
        let kind: ContactEvent.Kind
        let sealed: [UInt8]?
        let isOld: Bool
        let attempts: Int32
    }

    /// Turns events that are due into messages; returns how many were taken up.
    func lookAtEvents() async throws -> Int {
        let events = try await database.query(
            """
            update contact_event set attempts = attempts + 1,
              due_at = clock_timestamp() + make_interval(secs => least(300, 5 * (attempts + 1)))
            where id in (
              select id from contact_event where due_at <= clock_timestamp() or due_at > clock_timestamp() + interval '1 day'
              order by due_at limit \(Self.batchMax) for update skip locked)
            returning id, account, kind, content, attempts,
              created_at < clock_timestamp() - make_interval(secs => \(times.eventMax.seconds)) as is_old
            """
        ) { row throws(PostgresError) in
            Event(
                id: try row["id"], account: try row["account"], kind: try row["kind"], sealed: try row["content"],
                isOld: try row["is_old"], attempts: try row["attempts"])
        }
        for event in events {
            if event.isOld {
                log.error("contacts were not told of an event", ["event": .string(event.id.description)])
                try await database.execute("delete from contact_event where id = \(event.id)")
                continue
            }
            _ = try await reporting("contacts cannot be told of an event yet", of: event.id, to: log) {
                try await tell(of: event)
            }
        }
        return events.count
    }

    private func tell(of event: Event) async throws {
        let filled = filled
        // Who is not enrolled any more has no contacts.
        guard let enrolment = try await enrolments.find(event.account) else {
            try await database.execute("delete from contact_event where id = \(event.id)")
            return
        }
        let content = try event.sealed.map { try ContactEvent.open($0, of: event.id, cipher) }
        try await database.transaction { transaction in
            guard try await transaction.queryOne(Self.holding(event.account), as: Bool.self) == true,
                try await transaction.execute("delete from contact_event where id = \(event.id)") > 0
            else { return }
            let states = try await store.states(of: event.account, in: transaction)
            switch (event.kind, content) {
            case (.asked, _): try await ask(enrolment, states, in: transaction)
            case (.sensorLost, let content?):
                guard try await isStillLost(event.account, in: transaction) else { break }
                try await add(.sensorLost, event, content, enrolment, states, in: transaction)
            case (.rule, let content?): try await add(.rule, event, content, enrolment, states, in: transaction)
            case (.late, let content?): try await add(.late, event, content, enrolment, states, in: transaction)
            case (_, nil): break
            }
            transaction.afterCommit { filled.raise() }
        }
    }

    /// Whether the monitor is blind still, and the contacts were not told of it lately.
    private func isStillLost(_ account: UUID, in transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.queryOne(
            """
            select exists (select from monitor where account = \(account) and phase = 'blind')
              and not exists (select from contact_message where account = \(account) and kind = 'sensor-lost'
                and created_at > clock_timestamp() - make_interval(secs => \(times.sensorLostPause.seconds)))
            """, as: Bool.self) ?? false
    }

    private func add(
        _ kind: ContactMessage.Kind, _ event: Event, _ known: ContactEvent.Content, _ enrolment: Enrolment,
        _ states: [[UInt8]: ContactStore.State], in transaction: Transaction
    ) async throws {
        var messages: [ContactMessage] = []
        for contact in enrolment.details.contacts {
            let key = keys.key(of: contact, of: event.account)
            let isConfirmed = states[key] == .confirmed
            // Nobody else helps when a rule tells the contacts only: who has not answered is told, too.
            guard isConfirmed || kind == .rule && states[key] != .declined else { continue }
            var content = content(contact, enrolment.details)
            content.isBrief = !isConfirmed
            (content.happenedAt, content.cause, content.position) = (known.happenedAt, known.cause, known.position)
            content.home = enrolment.details.address
            messages += made(kind, named: kind.rawValue, of: event.id, event.account, incident: nil, content, key)
        }
        let statements = try queue.insert(messages)
        if !statements.isEmpty { try await transaction.batch(statements) }
    }

    private func content(_ contact: EmergencyContact, _ details: EnrolmentDetails) -> ContactMessage.Content {
        ContactMessage.Content(
            contact: contact, language: ContactTexts.language(of: details), callbackPhone: details.callbackPhone,
            isBrief: true)
    }

    /// Asks the contacts who have not been asked, each number and address so often, whoever names it.
    private func ask(
        _ enrolment: Enrolment, _ states: [[UInt8]: ContactStore.State], in transaction: Transaction
    ) async throws {
        let account = enrolment.account
        let asked = try await transaction.query(
            "select contact from contact where account = \(account) and asked_at is not null", as: [UInt8].self)
        let month = Duration.seconds(30 * 86_400)
        for contact in enrolment.details.contacts {
            let key = keys.key(of: contact, of: account)
            guard states[key] == .asked, !asked.contains(key) else { continue }
            guard
                try await store.mayAsk(
                    keys.place(account), max: times.askingMax, within: .seconds(86_400), in: transaction)
            else {
                log.warning("somebody names too many contacts", ["account": .string(account.description)])
                return
            }
            var may = try await store.mayAsk(
                keys.place(contact.phone), max: times.askedMax, within: month, in: transaction)
            if may, let email = contact.email {
                may = try await store.mayAsk(keys.place(email), max: times.askedMax, within: month, in: transaction)
            }
            guard may else { continue }
            let token = OneTimeToken.random()
            var content = content(contact, enrolment.details)
            content.token = token.text
            let messages = made(
                .question, named: "question", of: UUID.random(), account, incident: nil, content, key)
            let statements =
                [ContactStore.linking(token, account, key, incident: nil, for: times.refusal)]
                + (try queue.insert(messages)) + [
                    "update contact set asked_at = clock_timestamp() where account = \(account) and contact = \(key)"
                ]
            try await transaction.batch(statements)
        }
    }
}
