import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Security

/// Arrivals that are stored with one commit, inside its transaction. Two round trips: what is known of the people and
/// their uploads is read under the people's locks, then all rows go out with the commit. A person's first sample takes
/// one more.
struct ArrivalGroup {
    struct Context: Sendable {
        let live: LiveFeed
        let known: KnownArrivals
        let devices: KnownDevices
        let sourceNames: BlindIndex
        /// Is told of people with many arrivals that are in no block.
        let sealing: SealJob
        var watched = WatchedMemory()
        var shard = 0
    }

    /// The number, without a row, of all imports' sources of a person that come after this many sources.
    static let furtherImports: Int16 = 1000

    /// What is stored once.
    fileprivate enum Unit: Hashable {
        case upload(UUID, device: UUID, Int64)
        case content(UUID, UUID)
    }

    private struct SourceKey: Hashable {
        let account: UUID
        let identity: UUID
    }

    private let context: Context
    private let arrivals: [NewArrival]
    private let identities: [UUID?]
    /// No two are of one person.
    private let isEachAlone: Bool
    private var sources: [SourceState] = []
    private var earlier: [KnownArrival?] = []
    /// Of each arrival.
    private var people: [PersonState] = []
    /// By the database's clock.
    private var now = ArrivalStore.beginning
    private var rows = ArrivalRows()
    private var events: [FeedEvent] = []
    private var newTypes: [UUID: Int64] = [:]
    /// What arrived of people of whom some service is told that it did: masks of data types.
    private var told: [UUID: (types: Int64, watchers: [String: Int64])] = [:]
    private var stored: [Unit: (earlier: EarlierArrival, content: Int64?)] = [:]
    private var sourceNumbers: [SourceKey: Int16] = [:]
    private var overfull: Set<Int32> = []
    private var lastSources: [UUID: Int16] = [:]
    /// The device of each arrival; `nil` for other sources, and for devices that accounts has not told of.
    private var devices: [KnownDevices.Device?] = []
    /// What devices have sent in this group, when it has several arrivals of a person.
    private var sent: [SourceKey: SentTimes] = [:]
    /// What is to be remembered of devices, once this is stored.
    private var remembered: [(UUID, KnownDevices.Device)] = []

    /// Locks the people and reads what is known.
    init(
        _ arrivals: [NewArrival], _ context: Context, in transaction: Transaction, at now: Timestamp
    ) async throws {
        self.arrivals = arrivals
        self.context = context
        identities = arrivals.map { $0.identity(context.sourceNames) }
        let accounts = Array(Set(arrivals.map(\.account)))
        isEachAlone = accounts.count == arrivals.count
        // People first: who knows of an arrival then knows what its device has sent (`finish`).
        let lasts = context.known.last(of: accounts)
        let known = context.devices.devices(of: arrivals)
        let since = lasts.map { $0?.storedAt ?? ArrivalStore.beginning }
        let wanted = arrivals.indices.map { index in
            ArrivalStore.Wanted(
                account: arrivals[index].account, identity: identities[index], upload: arrivals[index].upload,
                content: arrivals[index].partContent, known: known[index])
        }
        let answers = try await transaction.runBatch([
            ArrivalStore.lock(accounts),
            ArrivalStore.lookUp(wanted, since: since.min() ?? ArrivalStore.beginning, watchedAt: now),
        ])
        var states: [UUID: PersonState] = [:]
        for (index, row) in answers[1].rows.enumerated() where index < arrivals.count {
            let account = arrivals[index].account
            let person = try states[account] ?? PersonState(row: row)
            states[account] = person
            people.append(person)
            let source = try SourceState(row: row, known: known[index])
            sources.append(source)
            earlier.append(try KnownArrival.decode(row))
            self.now = try row["now"]
            devices.append(source.wasKnown ? known[index] : try device(source, of: index, known[index]?.sent, row))
            if !source.wasKnown { remember(index) }
        }
        for (account, last) in zip(accounts, lasts) {
            if let last { states[account]?.run = last.run }
        }
        // Their arrivals of that time are in blocks now, and their partition is gone.
        let lost = zip(accounts, since).filter { account, since in
            since > ArrivalStore.beginning && states[account]?.last == nil
        }
        try await complete(states, lost.map(\.0), in: transaction)
    }

    /// One that is known to be the person's, which does not change but with `person.devices_version`.
    private func device(
        _ source: SourceState, of index: Int, _ sent: SentTimes?, _ row: PostgresRow
    ) throws -> KnownDevices.Device? {
        let account = arrivals[index].account
        guard arrivals[index].device != nil, source.owner == account, !source.isRemoved else { return nil }
        return KnownDevices.Device(
            account: account, version: try row.decode("devices_version", as: Int32?.self) ?? 0,
            number: source.number ?? 0, types: source.types, sent: sent)
    }

    private mutating func remember(_ index: Int) {
        guard let id = arrivals[index].device, let device = devices[index], device.number != 0 else { return }
        remembered.append((id, device))
    }

    /// Adds the people who are not known yet, reads the last arrivals of `lost` and the pauses in which something may have been
    /// measured, and brings back arrivals of the future.
    private func complete(
        _ states: [UUID: PersonState], _ lost: [UUID], in transaction: Transaction
    ) async throws {
        let newcomers = Set(
            arrivals.indices.compactMap { index in
                people[index].number == nil && sources[index].allows(arrivals[index]) ? arrivals[index].account : nil
            })
        var statements: [SQL] = []
        if !newcomers.isEmpty { statements.append(ArrivalStore.addPeople(Array(newcomers))) }
        if !lost.isEmpty { statements.append(ArrivalStore.lastArrivals(of: lost)) }
        let pausing = Set(
            arrivals.indices.compactMap { index in
                people[index].pausesEndedAt.map { arrivals[index].batch.earliest < $0.millisecondsUp } == true
                    ? arrivals[index].account : nil
            })
        if !pausing.isEmpty { statements.append(Pause.pauses(of: Array(pausing))) }
        let ahead = states.values.filter { state in
            state.last.map { $0.storedAt > now + FutureArrivals.aheadMin } == true
        }
        if !ahead.isEmpty { statements.append(FutureArrivals.bringBack(ahead.compactMap(\.number), to: now)) }
        guard !statements.isEmpty else { return }
        var answers = try await transaction.runBatch(statements)[...]
        if !newcomers.isEmpty {
            for (account, number) in try answers.removeFirst().decode(as: UUID.self, Int32.self) {
                states[account]?.number = number
            }
        }
        if !lost.isEmpty {
            for (account, arrival, time) in try answers.removeFirst().decode(
                as: UUID.self, Int64.self, Timestamp.self)
            {
                states[account]?.last = LastArrival(arrival: arrival, storedAt: time)
            }
        }
        if !pausing.isEmpty {
            let pauses = try answers.removeFirst().rows.map { row throws(PostgresError) in try Pause(row: row) }
            for (account, pauses) in Dictionary(grouping: pauses, by: \.account) {
                states[account]?.pauses = Pauses(pauses)
            }
        }
        for state in ahead { state.last?.storedAt = now }
    }

    /// With what the senders are told of the people.
    func results(_ outcomes: [ArrivalOutcome]) -> [ArrivalResult] {
        zip(people, outcomes).map { person, outcome in
            ArrivalResult(outcome: outcome, isWatchedClosely: person.watches.isAlways)
        }
    }

    /// Judges the arrivals one after the other, and hands their rows and events to the commit.
    mutating func finish(in transaction: Transaction) async throws -> [ArrivalOutcome] {
        var outcomes: [ArrivalOutcome] = []
        for index in arrivals.indices { outcomes.append(try outcome(index)) }
        for statement in rows.inserts { try transaction.beforeCommit(statement) }
        if !newTypes.isEmpty { try transaction.beforeCommit(ArrivalStore.addTypes(newTypes)) }
        for (account, told) in told {
            events += try told.watchers.compactMap { watcher, types in
                try LiveFeed.arrival(of: account, types: told.types & types, for: watcher, at: now)
            }
        }
        try await context.live.publish(events, in: transaction)
        let lasts = zip(arrivals, people).compactMap { arrival, person in
            person.last.map { (arrival.account, KnownArrivals.Last(storedAt: $0.storedAt, run: person.run)) }
        }
        let (context, remembered, sealing, overfull) = (context, remembered, context.sealing, overfull)
        // Of a commit without an answer nobody knows whether it has happened: others may have stored something in its place.
        transaction.afterCommit(onlyIfCertain: true) {
            context.devices.keep(remembered)
            context.known.stored(lasts)
            for person in overfull { sealing.request(person) }
        }
        tellWatched(outcomes, in: transaction)
        return outcomes
    }

    /// What is remembered of people whom AutomatedSOS watches, once this is stored.
    private func tellWatched(_ outcomes: [ArrivalOutcome], in transaction: Transaction) {
        let dispatcher = ServiceName.dispatcher.rawValue
        let (watched, shard) = (context.watched, context.shard)
        for (index, outcome) in outcomes.enumerated() {
            let (account, person) = (arrivals[index].account, people[index])
            guard let device = arrivals[index].device, outcome.isTaken else { continue }
            let types = person.watches.typesAlways(for: dispatcher)
            guard types != nil || watched.person(account) != nil else { continue }
            let (paused, ended) = (person.paused, person.pausesEndedAt)
            let known = WatchedMemory.Device(id: device, types: sources[index].types)
            transaction.afterCommit(onlyIfCertain: true) {
                watched.note(account, shard: shard, types: types, paused: paused, pausesEndedAt: ended, device: known)
            }
        }
    }

    // Inlined, this crashed the optimizer of Swift 6.3 ("Found outside of lifetime use").
    @inline(never)
    private mutating func outcome(_ index: Int) throws -> ArrivalOutcome {
        let (arrival, source, state) = (arrivals[index], sources[index], people[index])
        if state.isErased { return .erased }
        guard source.allows(arrival) else { return .deviceRemoved }
        if let outcome = earlierOutcome(index) { return outcome }
        let kept = arrival.kept(state, source.types)
        // An import or entry without samples to store leaves no row: it can be sent again when the types are collected.
        guard arrival.upload != nil || !kept.batch.isEmpty else { return .stored(samples: 0, dropped: kept.dropped) }
        try store(kept, index)
        return .stored(samples: kept.batch.count, dropped: kept.dropped)
    }

    /// Of what is stored already, in an earlier commit or in this one.
    private func earlierOutcome(_ index: Int) -> ArrivalOutcome? {
        let arrival = arrivals[index]
        if !isEachAlone, let (earlier, content) = stored[arrival.unit] {
            return arrival.outcome(of: earlier, content: content)
        }
        switch earlier[index] {
        case nil: return nil
        case .recent(let earlier, let content): return arrival.outcome(of: earlier, content: content)
        case .longAgo(let until):
            return arrival.mayBeNew(since: until) ? .conflict(receivedAt: until) : .storedLongAgo
        }
    }

    private mutating func store(_ arrival: NewArrival, _ index: Int) throws {
        let state = people[index]
        guard let person = state.number else {
            throw PostgresError.connection(detail: "the person is in a shard that this process does not know")
        }
        let source = try sourceNumber(index, person)
        let earlier = EarlierArrival(arrival)
        if !isEachAlone { stored[arrival.unit] = (earlier, arrival.upload == nil ? nil : arrival.contentNumber) }
        if let upload = arrival.upload {
            rows.uploads.people.append(person)
            rows.uploads.sources.append(source)
            rows.uploads.uploads.append(upload)
            rows.uploads.contents.append(arrival.contentNumber)
            rows.uploads.receivedAt.append(arrival.receivedAt)
            rows.uploads.samples.append(earlier.plainSamples)
            rows.uploads.answers.append(earlier.plainSamples == nil ? earlier.encoded : nil)
        } else if let content = arrival.partContent {
            rows.parts.people.append(person)
            rows.parts.contents.append(content)
            rows.parts.receivedAt.append(arrival.receivedAt)
            rows.parts.areEntries.append(arrival.source == .manual)
            rows.parts.answers.append(earlier.encoded)
        }
        guard !arrival.batch.isEmpty else { return }
        let last = max(state.last?.arrival ?? 0, state.sealedThrough)
        guard let number = Int32(exactly: last + 1) else {
            throw PostgresError.usage("a person's arrivals are used up")
        }
        let storedAt = max(now, state.last?.storedAt ?? now)
        state.last = LastArrival(arrival: Int64(number), storedAt: storedAt)
        let (waiting, samples) = (Int64(number) - state.sealedThrough, arrival.batch.count)
        if waiting > SealJob.arrivalsMax(of: person) || samples > SealJob.samplesMax
            || waiting * Int64(samples) > SealJob.waitingSamplesMax
        {
            overfull.insert(person)
        }
        state.run.add(number)
        let content = ArrivalContent(
            receivedAt: arrival.receivedAt, sentAt: arrival.correctedSentAt, batch: arrival.batch,
            mayRepeat: mayRepeat(arrival, index, source, number))
        rows.arrivals.storedAt.append(storedAt)
        rows.arrivals.people.append(person)
        rows.arrivals.arrivals.append(number)
        rows.arrivals.sources.append(source)
        rows.arrivals.sealed.append(
            arrival.key.seal(content.encoded, at: SealedLocation.arrival(Int64(number), of: arrival.account)))
        if arrival.batch.types & ~state.types != 0 { newTypes[arrival.account, default: 0] |= arrival.batch.types }
        if !state.watches.isEmpty { events += try context.live.events(of: arrival, for: state.watches) }
        if !state.watches.told.isEmpty {
            told[arrival.account, default: (0, state.watches.told)].types |= arrival.batch.types
        }
    }

    /// Whether some samples of an arrival may have come from its device before. Of what is imported or entered by hand nothing is
    /// remembered.
    private mutating func mayRepeat(_ arrival: NewArrival, _ index: Int, _ source: Int16, _ number: Int32) -> Bool {
        guard let device = arrival.device else { return true }
        let key = SourceKey(account: arrival.account, identity: device)
        var times = SentTimes.unknown(at: arrival.receivedAt)
        if let known = known(key, index), known.arrival >= people[index].run.since { times = known }
        let result = times.add(arrival.batch, arrival: number)
        if !isEachAlone { sent[key] = times }
        devices[index]?.sent = times
        devices[index]?.number = source
        // A number that is given in this transaction is looked up the next time: a standby that is promoted meanwhile may lack it.
        if sources[index].number == nil { devices[index]?.version = nil }
        remember(index)
        return result
    }

    private func known(_ device: SourceKey, _ index: Int) -> SentTimes? {
        if !isEachAlone, let sent = sent[device] { return sent }
        return sources[index].number == nil ? .nothing : devices[index]?.sent
    }

    /// The number of an arrival's source, which gets the next one at first sight.
    private mutating func sourceNumber(_ index: Int, _ person: Int32) throws -> Int16 {
        let (arrival, source) = (arrivals[index], sources[index])
        guard let identity = identities[index] else { return 0 }
        if let number = source.number { return number }
        let key = SourceKey(account: arrival.account, identity: identity)
        if let number = sourceNumbers[key] { return number }
        let last = lastSources[arrival.account] ?? source.lastNumber
        if last >= Self.furtherImports - 1, case .imported = arrival.source { return Self.furtherImports }
        guard last < .max - 1 else { throw PostgresError.usage("a person's sources are used up") }
        let number = last + 1 == Self.furtherImports ? last + 2 : last + 1
        lastSources[arrival.account] = number
        sourceNumbers[key] = number
        rows.sources.people.append(person)
        rows.sources.numbers.append(number)
        rows.sources.identities.append(identity)
        switch arrival.source {
        case .imported(let name):
            rows.sources.kinds.append("import")
            rows.sources.names.append(
                name.isEmpty
                    ? nil : arrival.key.seal(Array(name.utf8), at: SealedLocation.sourceName(of: arrival.account)))
        case .device, .manual:
            rows.sources.kinds.append("device")
            rows.sources.names.append(nil)
        }
        return number
    }
}

extension NewArrival {
    fileprivate var unit: ArrivalGroup.Unit {
        switch source {
        case .device(let device, let upload): .upload(account, device: device, upload)
        case .manual, .imported: .content(account, contentIdentity)
        }
    }

    var upload: Int64? { if case .device(_, let upload) = source { upload } else { nil } }

    var device: UUID? { if case .device(let device, _) = source { device } else { nil } }

    /// Of an entry or a piece of an import.
    fileprivate var partContent: UUID? { upload == nil ? contentIdentity : nil }

    private var contentIdentity: UUID { UUID(high: word(0), low: word(8)) }

    /// The first 8 bytes of the hash.
    fileprivate var contentNumber: Int64 { Int64(bitPattern: word(0)) }

    private func word(_ offset: Int) -> UInt64 {
        content.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Of its source, as `source.identity` has it.
    fileprivate func identity(_ names: BlindIndex) -> UUID? {
        switch source {
        case .device(let device, _): device
        case .manual: nil
        case .imported(let name): Self.identity(ofImport: name, of: account, names)
        }
    }

    /// The same of what an import's file calls its source.
    static func identity(ofImport name: String, of account: UUID, _ names: BlindIndex) -> UUID? {
        UUID(bytes: names.index(account.bytes + Array(name.utf8)).prefix(16))
    }

    /// Of an upload or content that was stored before.
    fileprivate func outcome(of earlier: EarlierArrival, content: Int64?) -> ArrivalOutcome {
        content == nil || content == contentNumber ? .repeated(earlier) : .conflict(receivedAt: earlier.receivedAt)
    }

    /// Whether some of an upload was in none that was received until `time`, as what was measured since then: the device has begun to
    /// count anew. Times by a clock that is far off are corrected by when it was sent, so a device whose clock and count begin anew
    /// together is noticed, too. Times of a clock that was never set, of samples that were sent after it was set, tell nothing.
    fileprivate func mayBeNew(since time: Timestamp) -> Bool {
        guard let span = batch.span else { return false }
        return Timestamp(milliseconds: span.latest) > time + SampleClock.aheadMax
            || Timestamp(milliseconds: span.earliest) < SampleClock.earliest
    }

    /// The arrival without what is paused or was when it was measured, and without what the device may not provide
    /// (`provided` is a mask of what it may; `nil`: all).
    fileprivate func kept(_ person: PersonState, _ provided: Int64?) -> NewArrival {
        let withheld = provided.map { batch.types & ~$0 } ?? 0
        guard !person.paused.isEmpty || !person.pauses.isEmpty || withheld != 0 else { return self }
        var kept = batch
        if let provided { kept.keep(provided) }
        var paused = kept.remove(person.pauses)
        for group in person.paused {
            let count = kept.count
            kept.remove(group)
            if kept.count < count { paused.insert(group) }
        }
        return with(kept, dropped: DroppedTypes(paused: paused, withheld: withheld))
    }
}

extension SourceState {
    /// Whether the device, if it is one, is the person's.
    fileprivate func allows(_ arrival: NewArrival) -> Bool {
        guard arrival.device != nil, let owner else { return true }
        return !isRemoved && owner == arrival.account
    }
}
