import Contracts
import Domain
import Feed
import JSON
import Primitives
import RPC
import Reactor
import ReactorTesting
import ServiceTesting
import Synchronization

/// The accounts and ingestion services as query sees them, in memory.
final class Neighbours: Sendable {
    struct Sent: Sendable, Equatable {
        let id: UUID
        let account: UUID
        let template: String
        let values: [String: String]
        /// Whether it goes out by mail, too, and not into the inbox alone.
        let isMailed: Bool
    }

    private struct State {
        var people: [String: UUID] = [:]
        var companies: [UUID: String] = [:]
        var individuals: Set<UUID> = []
        var suspended: Set<UUID> = []
        var types: [UUID: [DataType]] = [:]
        var samples: [UUID: [SampleSeries]] = [:]
        /// Of whom something has arrived, or is collected otherwise, in order.
        var arrivals: [(person: UUID, kind: String)] = []
        /// Of whom not all types are collected.
        var collected: [UUID: [DataType]] = [:]
        /// Asked about what is collected, and how often ingestion is to fail then.
        var collectionsAsked = 0
        var collectionFailures = 0
        var failsReads = false
        /// Of whom it is not known then what is collected.
        var collectionsUnknown: Set<UUID> = []
        var sent: [UUID: Sent] = [:]
        var notifyAttempts = 0
        var notifyFailures = 0
        /// On whose behalf people were looked up.
        var finders: [UUID?] = []
        var daysAskedFor: [CalendarDate] = []
        var heldRead: UInt64?
        /// Of whom nothing can be read.
        var failingReads: Set<UUID> = []
        /// Of which nobody has sums any more, whatever has arrived: another source counts.
        var valueless: Set<DataType> = []
        /// For what data was read.
        var readPurposes: Set<String> = []
        var holdsFinds = false
        var findFailures = 0
    }

    private let state = Mutex(State())
    private let arrived = EventCounter()
    private let notified = EventCounter()
    private let released = EventCounter()
    private let looked = EventCounter()
    /// Raised whenever a read begins, and whenever one is answered.
    let reads = EventCounter()
    private let answered = EventCounter()
    let tokens: TestTokens

    init(tokens: TestTokens) {
        self.tokens = tokens
    }

    // MARK: What there is

    func addPerson(fiscalCode: String, email: String, types: [DataType]) -> UUID {
        let id = UUID.random()
        state.withLock { state in
            state.people[fiscalCode] = id
            state.people[email] = id
            state.individuals.insert(id)
            state.types[id] = types
        }
        return id
    }

    func addCompany(_ name: String) -> UUID {
        let id = UUID.random()
        state.withLock { $0.companies[id] = name }
        return id
    }

    func arrive(_ series: SampleSeries, of person: UUID) {
        state.withLock { state in
            state.samples[person, default: []].append(series)
            state.arrivals.append((person, Ingestion.liveArrivedKind))
        }
        arrived.raise()
    }

    /// These types are collected of the person from now on, and no others; query is told so, unless it is not to be.
    func collect(_ types: [DataType], of person: UUID, isTold: Bool = true) {
        state.withLock { state in
            state.collected[person] = types
            if isTold { state.arrivals.append((person, Ingestion.liveCollectionKind)) }
        }
        arrived.raise()
    }

    /// Questions about what is collected fail from the next one on.
    func failCollections(times: Int) { state.withLock { $0.collectionFailures = times } }

    /// Nothing can be read from now on.
    func failReads() { state.withLock { $0.failsReads = true } }

    /// Of these people it is not known what is collected: their part of ingestion is away.
    func loseCollections(of people: Set<UUID>) { state.withLock { $0.collectionsUnknown = people } }

    var collectionsAsked: Int { state.withLock(\.collectionsAsked) }

    /// The read of that number, counted from 1, does not answer until `releaseReads`.
    func hold(read number: UInt64) { state.withLock { $0.heldRead = number } }

    func releaseReads() {
        state.withLock { $0.heldRead = nil }
        released.raise()
    }

    /// Nothing can be read of the person from the next read on, or again.
    func failReads(of person: UUID, _ fails: Bool = true) {
        state.withLock { state in
            if fails { state.failingReads.insert(person) } else { state.failingReads.remove(person) }
        }
    }

    /// Sums of the type have no values any more.
    func removeValues(of type: DataType) { _ = state.withLock { $0.valueless.insert(type) } }

    /// Look-ups do not answer until `releaseFinds`.
    func holdFinds() { state.withLock { $0.holdsFinds = true } }

    func releaseFinds() {
        state.withLock { $0.holdsFinds = false }
        released.raise()
    }

    /// From the next one on.
    func failFinds(times: Int) { state.withLock { $0.findFailures = times } }

    func suspend(_ company: UUID, _ isSuspended: Bool = true) {
        state.withLock { state in
            if isSuspended { state.suspended.insert(company) } else { state.suspended.remove(company) }
        }
    }

    func failNotify(times: Int) { state.withLock { $0.notifyFailures = times } }

    var sent: [Sent] { state.withLock { Array($0.sent.values) } }
    /// Returns when so many messages were tried to hand over, or false after `Duration.patience`. Call on a loop.
    func reached(attempts: Int) async -> Bool { await reached { self.notifyAttempts >= attempts } }

    /// Returns when so many messages were handed over, or false after `Duration.patience`. Call on a loop.
    func reached(sent count: Int) async -> Bool { await reached { self.sent.count >= count } }

    /// Returns when so many look-ups have begun, or false after `Duration.patience`. Call on a loop.
    func reached(finds count: Int) async -> Bool { await reached(looked) { self.finds >= count } }

    private func reached(_ condition: () -> Bool) async -> Bool { await reached(notified, condition) }

    private func reached(_ counter: EventCounter, _ condition: () -> Bool) async -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let seen = counter.value
            if condition() { return true }
            _ = await counter.wait(after: seen, deadline: deadline)
        }
        return condition()
    }

    /// Returns when so many reads have begun, or false after `Duration.patience`. Call on a loop.
    func reached(reads count: UInt64) async -> Bool { await Self.reached(count, reads) }

    /// The same of reads that were answered.
    func reached(answered count: UInt64) async -> Bool { await Self.reached(count, answered) }

    private static func reached(_ count: UInt64, _ counter: EventCounter) async -> Bool {
        let deadline = Deadline.after(.patience)
        while counter.value < count, !deadline.hasPassed {
            _ = await counter.wait(after: counter.value, deadline: deadline)
        }
        return counter.value >= count
    }

    func sent(to account: UUID) -> [Sent] { sent.filter { $0.account == account } }
    var readPurposes: Set<String> { state.withLock(\.readPurposes) }
    var notifyAttempts: Int { state.withLock(\.notifyAttempts) }
    var finds: Int { finders.count }
    var finders: [UUID?] { state.withLock(\.finders) }
    var daysAskedFor: [CalendarDate] { state.withLock(\.daysAskedFor) }

    // MARK: RPC

    var peers: [String: any RPCCaller] {
        [
            "accounts": LocalCaller(router: accounts, as: "query"),
            "ingestion": LocalCaller(router: ingestion, as: "query"),
        ]
    }

    private func name(of account: UUID) throws -> (AccountKind, String) {
        let (company, isPerson) = state.withLock { ($0.companies[account], $0.individuals.contains(account)) }
        if isPerson { return (.individual, "Anna Rossi") }
        guard let company else { throw RPCError(.notFound) }
        return (.thirdParty, company)
    }

    private var accounts: RPCRouter {
        var router = RPCRouter()
        tokens.register(in: &router)
        router.register(Accounts.Find.self, allow: ["query"]) { params, _ in
            let key = params.fiscalCode?.description ?? params.email?.normalized ?? ""
            let found = try self.state.withLock { state throws(RPCError) in
                state.finders.append(params.onBehalfOf)
                guard state.findFailures == 0 else {
                    state.findFailures -= 1
                    throw RPCError(.unavailable)
                }
                return state.people[key]
            }
            self.looked.raise()
            let end = Deadline.after(.patience)
            while self.state.withLock(\.holdsFinds), !end.hasPassed {
                let seen = self.released.value
                guard self.state.withLock(\.holdsFinds) else { break }
                _ = await self.released.wait(after: seen, deadline: end)
            }
            guard let found else { throw RPCError(.notFound) }
            return .init(accountID: found)
        }
        router.register(Accounts.Name.self, allow: ["query"]) { params, _ in
            let (kind, name) = try self.name(of: params.accountID)
            return .init(kind: kind, name: name)
        }
        router.register(Accounts.Requester.self, allow: ["query"]) { params, _ in
            let (kind, name) = try self.name(of: params.accountID)
            return .init(
                kind: kind, name: name, email: EmailAddress("somebody@example.org")!,
                vatNumber: kind == .individual ? nil : VATNumber("00743110157")!)
        }
        router.register(Accounts.Active.self, allow: ["query"]) { params, _ in
            .init(
                accountIDs: self.state.withLock { state in
                    params.accountIDs.filter { state.companies[$0] != nil && !state.suspended.contains($0) }
                })
        }
        router.register(Accounts.Notify.self, allow: ["query"]) { params, _ in
            try self.state.withLock { state throws(RPCError) in
                state.notifyAttempts += 1
                defer { self.notified.raise() }
                guard state.notifyFailures == 0 else {
                    state.notifyFailures -= 1
                    throw RPCError(.unavailable)
                }
                state.sent[params.id] = Sent(
                    id: params.id, account: params.accountID, template: params.template, values: params.values,
                    isMailed: params.email)
            }
            return Empty()
        }
        return router
    }

    private var ingestion: RPCRouter {
        var router = RPCRouter()
        router.register(Ingestion.Types.self, allow: ["query"]) { params, _ in
            .init(types: self.state.withLock { Array($0.types[params.accountID] ?? []) })
        }
        router.register(Ingestion.Collected.self, allow: ["query"]) { params, _ in
            try self.state.withLock { state throws(RPCError) in
                state.collectionsAsked += 1
                guard state.collectionFailures == 0 else {
                    state.collectionFailures -= 1
                    throw RPCError(.unavailable)
                }
                return .init(
                    people: params.accountIDs.filter { !state.collectionsUnknown.contains($0) }.map {
                        .init(accountID: $0, types: state.collected[$0] ?? DataType.allCases)
                    })
            }
        }
        router.register(Ingestion.PublishDays.self, allow: ["query"]) { params, _ in
            self.state.withLock { $0.daysAskedFor += params.days }
            return Empty()
        }
        router.register(Ingestion.ReadMany.self, allow: ["query"]) { params, _ in
            try self.state.withLock { state throws(RPCError) in
                state.readPurposes.formUnion(params.reads.map(\.reason.purpose))
                if state.failsReads { throw RPCError(.unavailable) }
            }
            self.reads.raise()
            let number = self.reads.value
            while self.state.withLock({ $0.heldRead == number }), !Task.isCancelled {
                _ = await self.released.wait(after: self.released.value, deadline: .after(.seconds(5)))
            }
            let answers = params.reads.map(self.answer)
            self.answered.raise()
            return .init(answers: answers)
        }
        router.register(Ingestion.Touched.self, allow: ["query"]) { params, _ in
            let all = self.state.withLock { $0.samples[params.accountID] ?? [] }
            let rest = all.dropFirst(Int(params.after.after))
            let series = rest.filter { params.types.contains($0.type) }.map { one in
                Ingestion.Touched.Series(
                    type: one.type,
                    spans: (0..<one.count).map { index in
                        let start = Self.bucket(of: one.time(index), params.granularity)
                        return .init(start: start, end: start + Self.length(params.granularity))
                    })
            }
            return .init(series: series, next: .init(after: Int64(all.count)), hasMore: false)
        }
        router.register(Ingestion.Aggregate.self, allow: ["query"]) { params, _ in
            let (all, valueless) = self.state.withLock { ($0.samples[params.accountID] ?? [], $0.valueless) }
            return .init(
                series: params.types.filter { !valueless.contains($0) }.compactMap {
                    Self.sums(of: $0, in: all, params)
                },
                next: nil)
        }
        router.register(FeedSnapshot.self, allow: ["query"]) { _, _ in
            .init(entities: [], next: nil, cursor: self.cursor(at: self.state.withLock(\.arrivals.count)))
        }
        router.register(FeedRead.self, allow: ["query"]) { params, _ in
            let end = Deadline.after(.milliseconds(params.waitMilliseconds))
            let first = Int(params.cursor[0])
            while true {
                let seen = self.arrived.value
                let people = self.state.withLock { $0.arrivals.dropFirst(first) }
                guard people.isEmpty, !end.hasPassed, !Task.isCancelled else {
                    let events = try people.enumerated().map { number, one in
                        FeedRecord(
                            lane: 0, position: Int64(first + number + 1), entity: one.person, version: 1,
                            kind: one.kind,
                            payload: try JSONRaw(encoding: Ingestion.LiveArrival(accountID: one.person, types: [])),
                            recordedAt: .now())
                    }
                    return .init(events: events, cursor: self.cursor(at: first + people.count), more: false)
                }
                _ = await self.arrived.wait(after: seen, deadline: end)
            }
        }
        return router
    }

    private func cursor(at position: Int) -> FeedCursor { FeedCursor(epoch: "1", positions: [Int64(position)]) }

    private func answer(_ read: Ingestion.ReadMany.Item) -> Ingestion.ReadMany.Answer {
        let (found, isFailing) = state.withLock {
            ($0.samples[read.accountID], $0.failingReads.contains(read.accountID))
        }
        guard !isFailing else { return .init(outcome: .failed, next: read.after) }
        guard let all = found else {
            return .init(outcome: .nothing, next: read.after)
        }
        // One upload at a time, so that there is something to page through.
        let rest = all.dropFirst(Int(read.after.after))
        let page = rest.prefix(1)
        let series = page.filter { read.types.contains($0.type) && read.from < read.to }
            .map { $0.measured(in: read.from..<read.to) }
        return .init(
            outcome: .read, series: series.filter { $0.count > 0 },
            next: .init(after: read.after.after + Int64(page.count)), hasMore: rest.count > page.count)
    }

    // MARK: Sums

    private static func length(_ granularity: Ingestion.Granularity) -> Duration {
        switch granularity {
        case .minute: .seconds(60)
        case .hour: .seconds(3600)
        case .day: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        }
    }

    /// Of times of UTC.
    private static func bucket(of time: Timestamp, _ granularity: Ingestion.Granularity) -> Timestamp {
        let length = length(granularity).milliseconds
        return Timestamp(milliseconds: time.milliseconds / length * length)
    }

    private static func sums(
        of type: DataType, in all: [SampleSeries], _ params: Ingestion.Aggregate.Params
    ) -> Ingestion.Aggregate.Series? {
        var values: [Timestamp: [Double]] = [:]
        for one in all where one.type == type {
            for index in 0..<one.count {
                values[bucket(of: one.time(index), params.granularity), default: []].append(one.values?[index] ?? 0)
            }
        }
        let length = length(params.granularity)
        let buckets = values.filter { start, _ in
            start >= max(params.from, params.startFrom ?? params.from) && start + length <= params.to
                && start < params.startTo ?? params.to
        }.sorted { $0.key < $1.key }.map { start, values in
            let sum = values.reduce(0, +)
            return Ingestion.Aggregate.Bucket(
                start: start, end: start + length, count: values.count,
                mean: type.kind == .rate ? sum / Double(values.count) : nil, sum: type.kind == .counter ? sum : nil)
        }
        return buckets.isEmpty ? nil : .init(type: type, unit: type.unit.description, buckets: buckets)
    }
}
