import JSON
import Postgres
import Primitives
import Reactor
import Service

/// What happens to incidents while the database does not take it in time (`Journal/README.md`).
extension HandOverDesk {
    /// How long the database has for a decision before it goes to this machine's disk, where this process delivers the incident …
    static let commitMax = Duration.milliseconds(500)
    /// … and where only the database knows the incident. It may only be slow.
    static let commitAloneMax = Duration.seconds(3)
    /// How long it has for what is settled when it is back.
    static let settleMax = Duration.seconds(5)

    // MARK: Opening

    /// Delivers a new incident that the database does not have in time: it is on this machine's disk first, if the disk takes it.
    /// No effect when this process delivers it already.
    func open(_ record: IncidentRecord, at now: Timestamp) async {
        guard courier(of: record.id) == nil else { return }
        let journalled = JournalledIncident(record, events: record.changes.events.map(\.event))
        var isOnDisk = true
        do throws(JournalFault) { try await services.local.add(journalled.entries) } catch {
            isOnDisk = false
            log.error(
                "an incident is handed over that is neither in the database nor on disk",
                ["incident": .string(record.id.description), "error": .string(error.description)])
        }
        guard let opened = journalled.openedRecord(at: now) else { return }
        start(opened, journalled, isOnDisk: isOnDisk)
    }

    /// Takes over what was seen of an incident's person. Nobody here may deliver it: it was accepted, and nothing was due, or another
    /// process does, which gets this through the database. Whoever comes is told at once, from `before`, what was known of the
    /// incident until then (SOS-07).
    func follow(_ record: IncidentRecord, after before: IncidentRecord?) async {
        if let courier = courier(of: record.id) {
            return await courier.follow(record)
        }
        let age = record.clock.age
        let now = record.time(at: age)
        let known = before.flatMap { $0.id == record.id && record.incident.stage != .closed ? $0 : nil }
        var news = JournalledIncident(record.id)
        if let known {
            // A courier goes on from here: its messages have numbers.
            var journal = IncidentJournal(known)
            for applied in record.changes.events { journal.add(applied.event, as: applied.journalID(), at: age) }
            news.events = journal.unwritten.map(\.journalled)
        } else {
            news.events = record.changes.events.map { .init(id: $0.journalID(), at: now, event: $0.event) }
        }
        let entries = news.entries
        var isOnDisk = true
        do throws(JournalFault) { try await services.local.add(entries) } catch {
            isOnDisk = false
            log.warning("news of an incident are not on disk", ["error": .string(error.description)])
        }
        var journalled = services.local[record.id] ?? JournalledIncident(record.id)
        for entry in entries { journalled.add(entry) }
        guard var begun = journalled.openedRecord(at: now) ?? known else { return }
        if let details = record.details { begun.change { $0 = details } }
        start(begun, journalled, isOnDisk: isOnDisk)
    }

    // MARK: Decisions

    /// Applies a decision of an ambulance service: in the database, or when that does not take it in time, on this machine's
    /// disk, where the first acceptance counts until the database says which came first. `nil` when there is no such incident;
    /// whether there is one is not known without the database. Errors: the database's, when the disk does not take it either, and
    /// when only the database knows the answer.
    func decide(_ event: IncidentEvent, of id: UUID, at now: Timestamp) async throws -> IncidentVerdict? {
        try await inTurn(id) {
            let entry = UUID.random()
            let event = event.attempted(as: entry)
            // What was said before it must count before it.
            guard services.local[id] == nil, courier(of: id)?.isStored ?? true else {
                return try await decideApart(event, of: id, as: entry, at: now)
            }
            do {
                return try await services.store.change(id, within: patience(for: id)) {
                    $0.apply(event, as: entry)
                }?.result
            } catch  where isDatabaseAway(error) {
                do throws(JournalFault) {
                    let verdict = try await decideApart(event, of: id, as: entry, at: now)
                    log.warning("a decision about an incident is on disk until the database is back")
                    return verdict
                } catch {
                    log.error("a decision about an incident is not answered", ["error": .string(error.description)])
                    throw error
                }
            }
        }
    }

    private func patience(for id: UUID) -> Duration {
        courier(of: id) == nil ? Self.commitAloneMax : Self.commitMax
    }

    /// What became of a false alarm that a wearer has told.
    enum CallingOff: Sendable {
        /// It counts. The incident as it stands, where the database cannot show it.
        case done(IncidentView?)
        case closed
    }

    /// Calls an incident off for the wearer (SOS-08). Without the database that goes for what this process delivers: of others
    /// is not known whose they are. `nil` when the person has no such incident. Errors: the database's.
    func callOff(
        _ id: UUID, _ event: IncidentEvent, by account: UUID, at now: Timestamp
    ) async throws -> CallingOff? {
        try await inTurn(id) {
            let (courier, entry) = (courier(of: id), UUID.random())
            if services.local[id]?.opening == nil, courier?.isStored ?? true {
                do {
                    let change = try await services.store.change(id, within: patience(for: id)) { record in
                        record.account == account ? record.apply(event, as: entry) : nil
                    }
                    guard let verdict = change?.result else { return nil }
                    guard verdict == .done || verdict == .repeated else { return .closed }
                    changed(id)
                    return .done(nil)
                } catch  where isDatabaseAway(error) && courier != nil {
                    log.warning("a false alarm is told without the database", ["error": Log.text(of: error)])
                }
            }
            guard let courier else {
                // Its courier has long finished, and the database is still away.
                guard services.local[id]?.opening?.account == account else { return nil }
                let verdict = try await services.local.decide(event, of: id, as: entry, at: now)
                return verdict == .done || verdict == .repeated ? .done(services.local[id]?.view(at: now)) : .closed
            }
            guard courier.account == account else { return nil }
            let (verdict, isSecured) = await courier.decide(event, as: entry)
            // Nobody else is called: better told twice than not at all.
            guard isSecured else { throw JournalFault.timedOut }
            guard verdict == .done || verdict == .repeated else { return .closed }
            return .done(await courier.view)
        }
    }

    private func decideApart(
        _ event: IncidentEvent, of id: UUID, as entry: UUID, at now: Timestamp
    ) async throws(JournalFault) -> IncidentVerdict {
        if let courier = courier(of: id) {
            let (verdict, isSecured) = await courier.decide(event, as: entry)
            guard isSecured else { throw .timedOut }
            return verdict
        }
        let verdict = try await services.local.decide(event, of: id, as: entry, at: now)
        guard services.local[id]?.opening == nil else { return verdict }
        // Whether it was accepted, and by whom first, is known to the database, and the next service is called by who knows the incident.
        switch verdict {
        case .notAccepted: throw .unknownIncident
        case .acceptedByAnother: if event.isRejection || event.isAcceptance { throw .unknownIncident }
        case .done, .repeated: if event.isRejection { throw .unknownIncident }
        case .handedBack, .outdated, .closed: break
        }
        return verdict
    }

    /// Tells the open emergency of the person that this process delivers that the wearer has pressed the SOS button; its id, if there is one.
    func followPress(
        of account: UUID, as id: UUID, _ press: @escaping @Sendable (inout IncidentDetails) -> Void
    ) async -> UUID? {
        for courier in couriers(of: [account]) {
            if await courier.followPress(id, press) { return courier.id }
        }
        return nil
    }

    /// Whether a press of which this process tells is kept somewhere else by then (`Courier.keepsPress`).
    func keepsPress(in id: UUID, by deadline: Deadline) async -> Bool {
        guard let courier = courier(of: id) else { return services.local[id] != nil }
        return await courier.keepsPress(by: deadline)
    }

    /// An incident of the person that is open, as far as this process knows of it beside what it follows of the database. Its disk may not
    /// have taken what it delivers.
    func openIncident(of account: UUID, at now: Timestamp) async -> IncidentRecord? {
        for courier in couriers(of: [account]) { if let record = await courier.open { return record } }
        for journalled in services.local.incidents(of: [account]) where courier(of: journalled.id) == nil {
            if let record = journalled.record(at: now), record.incident.stage != .closed { return record }
        }
        return nil
    }

    /// Whether this process delivers the incident, or has it on its disk.
    func hasTaken(_ id: UUID) -> Bool { courier(of: id) != nil || services.local[id] != nil }

    /// Whether this process knows that an incident is over.
    func hasEnded(_ id: UUID) async -> Bool {
        if let courier = courier(of: id) { return await courier.incident.stage == .closed }
        return services.local[id]?.incident.stage == .closed
    }

    /// The incidents of a person that this process knows to be over, one of which is `known` if it is, and the emergencies that are part
    /// of them, by their ids.
    func endedEmergencies(of account: UUID, and known: UUID?) async -> Set<UUID> {
        var ended: Set<UUID> = []
        func add(_ id: UUID, _ incident: Incident?) {
            guard let incident, incident.stage == .closed else { return }
            ended.formUnion([id] + (incident.emergencies ?? []))
        }
        for courier in couriers(of: [account]) { add(courier.id, await courier.incident) }
        let journalled =
            services.local.incidents(of: [account]) + [known.flatMap { services.local[$0] }].compactMap(\.self)
        for known in journalled where courier(of: known.id) == nil { add(known.id, known.incident) }
        return ended
    }

    // MARK: Settling

    /// Brings what happened to these people without the database into it, before their samples are judged again: so incidents begin
    /// when they did, and what is over is not found again. What fails here is tried again by `settleRest`.
    func settleBefore(judging accounts: Set<UUID>, within time: Duration = settleMax) async {
        let end = Deadline.after(time)
        for courier in couriers(of: accounts) where courier.isStored {
            await courier.writeEmergencies(by: end)
        }
        for journalled in services.local.incidents(of: accounts) where !end.hasPassed {
            do { try await settle(journalled, by: end) } catch {
                guard !isDatabaseAway(error) else { return }
                log.error("an incident on disk cannot be written yet", ["error": Log.text(of: error)])
            }
        }
    }

    /// One round: starts couriers for what is on this machine's disk and delivered by nobody, and brings the rest to the database.
    func settleRest(at now: Timestamp) async throws {
        var isAway = false
        for journalled in services.local.incidents {
            if let courier = courier(of: journalled.id) {
                // It brings its own events there.
                guard courier.isStored else { continue }
                await courier.takeJournalled()
                guard journalled.openingID != nil else { continue }
            } else if let record = journalled.openedRecord(at: now), journalled.incident.hasWork {
                // With the database the lease tells whether another process has gone on with it. It is not waited for long.
                do {
                    guard !isAway else { throw PostgresError.closed }
                    try await settle(journalled, by: .after(Self.commitMax))
                } catch {
                    isAway = isAway || isDatabaseAway(error)
                    start(record, journalled)
                }
                continue
            }
            guard !isAway else { continue }
            do { try await settle(journalled, by: .after(Self.settleMax)) } catch  where !isDatabaseAway(error) {
                // The others need not wait for it.
                log.error("an incident on disk cannot be written yet", ["error": Log.text(of: error)])
            }
        }
    }

    private func settle(_ journalled: JournalledIncident, by deadline: Deadline) async throws {
        let settlement = try await services.settle(journalled, deadline: deadline)
        // Another process's journal may have the opening.
        guard case .settled(let settled) = settlement else { return }
        services.local.settle(journalled.entryIDs, of: journalled.id)
        guard let courier = courier(of: journalled.id) else {
            if settled.isHeld, settled.record.incident.hasWork { start(settled.record) }
            return
        }
        courier.writeNow()
        changed(journalled.id)
    }
}
