import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// A synthetic emergency every few minutes, in each replica: from samples through the monitor, the incident on disk and a courier to the
/// receipt by a hook that takes exercises. A receiver that hears nothing for longer knows that nothing works, and when the receipt
/// does not come the operator is alarmed.
///
/// Its person is nobody: enrolled nowhere, without contacts, and gone with each incident. The feed is not sent through; that it has been
/// read up to now is part of it.
struct DeadManSwitch: Sendable {
    /// What the accounts of its people begin with.
    static let marker: UInt64 = 0x7472_6163_6B6D_8653
    /// Where ten are open, something is wrong with all of them.
    private static let keptDays = 1

    enum Step: String, Sendable, Equatable {
        /// The live feed has not been read up to now.
        case feed
        /// Critical samples that lasted are no emergency.
        case monitor
        /// The incident could not be stored.
        case incident
        /// No hook has received it.
        case receipt
    }

    enum Outcome: Sendable, Equatable {
        /// No hook takes exercises.
        case off
        case received
        case failed(Step)
    }

    let incidents: IncidentStore
    let hooks: Hooks
    let notices: NoticeOutbox
    let desk: HandOverDesk
    let bell: AlarmBell
    let log: Log
    let interval: Duration
    /// How long a receipt may take: what holds for people (SOS-05), and a margin.
    var receiptMax = Duration.seconds(10)
    private let isFeedRead: @Sendable () async throws -> Bool
    private let succeeded: Gauge
    private let took: Gauge
    private let account: UUID

    init(
        incidents: IncidentStore, hooks: Hooks, notices: NoticeOutbox, desk: HandOverDesk, bell: AlarmBell, log: Log,
        metrics: Metrics, interval: Duration, isFeedRead: @escaping @Sendable () async throws -> Bool
    ) {
        self.incidents = incidents
        self.hooks = hooks
        self.notices = notices
        self.desk = desk
        self.bell = bell
        self.log = log
        self.interval = interval
        self.isFeedRead = isFeedRead
        // Of each process another one: they do not wait for each other.
        account = UUID(high: Self.marker, low: incidents.holder.low)
        succeeded = metrics.gauge(
            "trackme_dead_man_success_timestamp_seconds",
            "When, in seconds since 1970, the last synthetic incident of this process was received.")
        took = metrics.gauge(
            "trackme_dead_man_seconds", "From the samples of the last synthetic incident to its receipt.")
    }

    static func isSynthetic(_ account: UUID) -> Bool { account.high == marker }

    /// Until cancelled. Call on a loop. The first one waits for the live feed to be read.
    func run(pacing: any Pacing) async throws {
        while !Task.isCancelled {
            try await pacing.pause(interval * Double.random(in: 0.9...1.1))
            try await round()
        }
    }

    /// One synthetic incident. Errors: those of the database, for which the operator is alarmed as well.
    @discardableResult
    func round() async throws -> Outcome {
        guard !hooks.forExercises.isEmpty else {
            bell.end(.deadMan, about: incidents.holder.description)
            return .off
        }
        let began = Deadline.now()
        let outcome: Outcome
        do { outcome = try await pass() } catch {
            ring(.incident)
            throw error
        }
        switch outcome {
        case .off: break
        case .received:
            succeeded.set(Double(Timestamp.now().milliseconds) / 1000)
            took.set(Deadline.now().since(began).seconds)
            bell.end(.deadMan, about: incidents.holder.description)
        case .failed(let step): ring(step)
        }
        return outcome
    }

    private func ring(_ step: Step) {
        log.error("a synthetic incident did not reach its receiver", ["step": .string(step.rawValue)])
        bell.ring(OperatorAlarm(.deadMan, about: incidents.holder.description, detail: step.rawValue))
    }

    private func pass() async throws -> Outcome {
        guard try await isFeedRead() else { return .failed(.feed) }
        guard let now = try await incidents.database.queryOne("select clock_timestamp()", as: Timestamp.self),
            let record = try incident(at: now)
        else { return .failed(.monitor) }
        let opening = try incidents.open(record)
        guard try await incidents.database.transaction({ try await $0.execute(opening) }) > 0 else {
            return .failed(.incident)
        }
        desk.start(record)
        guard try await isReceived(record.id) else { return .failed(.receipt) }
        try await incidents.deleteSynthetic(record.id)
        try await incidents.deleteSynthetic(olderThan: .seconds(86_400 * Int64(Self.keptDays)))
        return .received
    }

    private func isReceived(_ id: UUID) async throws -> Bool {
        let deadline = Deadline.after(receiptMax)
        while !deadline.hasPassed {
            let isOver = try await incidents.database.queryOne(
                "select outcome = 'exercised' and due_at is null from incident where id = \(id)", as: Bool?.self)
            if isOver == true { return true }
            try await EventLoop.current?.sleep(for: .milliseconds(100))
        }
        return false
    }

    // MARK: Somebody who is nobody

    /// What the monitor makes of five seconds with a heart rate of 30.
    private func incident(at now: Timestamp) throws -> IncidentRecord? {
        let begin = Timestamp(milliseconds: now.milliseconds - 5000)
        let live = Ingestion.LiveSamples(
            accountID: account, deviceID: account, receivedAt: now, sentAt: now,
            series: [
                SampleSeries(
                    type: .heartRate, start: begin, offsets: (0...5).map { Int64($0) * 1000 },
                    values: [70, 30, 30, 30, 30, 30])
            ])
        guard let seen = Observation(live, now: now, heldFor: .zero), let person = Self.person else { return nil }
        var watched = WatchedPerson(
            wearer: Wearer(account: account, birthDate: person.birthDate, rules: .standard), key: .random(),
            enrolment: try Self.enrolment(person), identity: IncidentDetails.Person(person),
            enrolled: Roster.Enrolled(version: 0, rules: "", details: []), monitor: Monitor(begunAt: begin),
            isExercise: true)
        watched.observe(seen, in: surroundings(now))
        return watched.new
    }

    private func surroundings(_ now: Timestamp) -> WatchedPerson.Surroundings {
        WatchedPerson.Surroundings(
            incidents: incidents, notices: notices, hooks: hooks, bell: bell, standby: Standby(), log: log, now: now)
    }

    private static func enrolment(_ person: Accounts.Identity.Result) throws -> EnrolmentDetails {
        EnrolmentDetails(
            birthDate: person.birthDate, callbackPhone: try PhoneNumber(validating: "+39 000 0000000"), contacts: [],
            conditions: [], medication: [], languages: ["it"], addressNotes: nil, abortWindowSeconds: 0)
    }

    private static let person: Accounts.Identity.Result? = {
        guard let birthDate = CalendarDate(year: 1950, month: 1, day: 1), let place = BelfioreCode("H501"),
            let code = try? FiscalCode.make(
                surname: "Esercizio", name: "Prova", birth: birthDate, sex: .female, place: place)
        else { return nil }
        return .init(name: "Prova", surname: "Esercizio", fiscalCode: code, birthDate: birthDate, sex: .female)
    }()
}

extension IncidentStore {
    /// Deletes a synthetic incident that nobody has to look after any more, with its key.
    func deleteSynthetic(_ id: UUID) async throws { try await deleteSynthetic("id = \(id)") }

    /// The same of all that were opened so long ago.
    func deleteSynthetic(olderThan age: Duration) async throws {
        try await deleteSynthetic("opened_at < clock_timestamp() - make_interval(secs => \(age.seconds))")
    }

    private func deleteSynthetic(_ condition: SQL) async throws {
        let first = UUID(high: DeadManSwitch.marker, low: 0)
        let last = UUID(high: DeadManSwitch.marker, low: .max)
        try await database.transaction { transaction in
            let keys = try await transaction.query(
                """
                delete from incident where account between \(first) and \(last) and is_exercise and state = 'closed'
                  and due_at is null and \(sql: condition) returning record_key
                """, as: UUID?.self)
            guard let now = try await transaction.queryOne("select clock_timestamp()", as: Timestamp.self) else {
                return
            }
            try await KeyDestruction.add(keys.compactMap(\.self), at: now, in: transaction)
        }
    }
}
