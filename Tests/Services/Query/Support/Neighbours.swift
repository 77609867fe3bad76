import Contracts
import Domain
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
    }

    private struct State {
        var people: [String: UUID] = [:]
        var companies: [UUID: String] = [:]
        var individuals: Set<UUID> = []
        var types: [UUID: [DataType]] = [:]
        var samples: [UUID: [SampleSeries]] = [:]
        var sent: [UUID: Sent] = [:]
        var notifyAttempts = 0
        var notifyFailures = 0
        /// On whose behalf people were looked up.
        var finders: [UUID?] = []
        var daysAskedFor: [CalendarDate] = []
        var heldRead: UInt64?
    }

    private let state = Mutex(State())
    private let arrived = EventCounter()
    private let notified = EventCounter()
    private let released = EventCounter()
    /// Raised whenever a read begins.
    let reads = EventCounter()
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
        state.withLock { $0.samples[person, default: []].append(series) }
        arrived.raise()
    }

    /// The read of that number, counted from 1, does not answer until `releaseReads`.
    func hold(read number: UInt64) { state.withLock { $0.heldRead = number } }

    func releaseReads() {
        state.withLock { $0.heldRead = nil }
        released.raise()
    }

    func failNotify(times: Int) { state.withLock { $0.notifyFailures = times } }

    var sent: [Sent] { state.withLock { Array($0.sent.values) } }
    /// Returns when so many messages were tried to hand over, or false after `Duration.patience`. Call on a loop.
    func reached(attempts: Int) async -> Bool { await reached { self.notifyAttempts >= attempts } }

    /// Returns when so many messages were handed over, or false after `Duration.patience`. Call on a loop.
    func reached(sent count: Int) async -> Bool { await reached { self.sent.count >= count } }

    private func reached(_ condition: () -> Bool) async -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let seen = notified.value
            if condition() { return true }
            _ = await notified.wait(after: seen, deadline: deadline)
        }
        return condition()
    }

    /// Returns when so many reads have begun, or false after `Duration.patience`. Call on a loop.
    func reached(reads count: UInt64) async -> Bool {
        let deadline = Deadline.after(.patience)
        while reads.value < count, !deadline.hasPassed {
            _ = await reads.wait(after: reads.value, deadline: deadline)
        }
        return reads.value >= count
    }

    func sent(to account: UUID) -> [Sent] { sent.filter { $0.account == account } }
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
            let found = self.state.withLock { state in
                state.finders.append(params.onBehalfOf)
                return state.people[key]
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
        router.register(Accounts.Notify.self, allow: ["query"]) { params, _ in
            try self.state.withLock { state throws(RPCError) in
                state.notifyAttempts += 1
                defer { self.notified.raise() }
                guard state.notifyFailures == 0 else {
                    state.notifyFailures -= 1
                    throw RPCError(.unavailable)
                }
                state.sent[params.id] = Sent(
                    id: params.id, account: params.accountID, template: params.template, values: params.values)
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
        router.register(Ingestion.PublishDays.self, allow: ["query"]) { params, _ in
            self.state.withLock { $0.daysAskedFor += params.days }
            return Empty()
        }
        router.register(Ingestion.Read.self, allow: ["query"]) { params, _ in
            let end = Deadline.after(.milliseconds(params.waitMilliseconds))
            self.reads.raise()
            let number = self.reads.value
            while self.state.withLock({ $0.heldRead == number }) {
                _ = await self.released.wait(after: self.released.value, deadline: .after(.seconds(5)))
            }
            while true {
                let seen = self.arrived.value
                let all = self.state.withLock { $0.samples[params.accountID] ?? [] }
                let rest = all.dropFirst(Int(params.after.after))
                if !rest.isEmpty || end.hasPassed || Task.isCancelled {
                    // One upload at a time, so that there is something to page through.
                    let page = rest.prefix(1)
                    let series = page.filter { params.types.contains($0.type) }
                        .map { $0.measured(from: params.from, to: params.to) }
                    return .init(
                        series: series.filter { $0.count > 0 },
                        next: .init(after: params.after.after + Int64(page.count)), hasMore: rest.count > page.count)
                }
                _ = await self.arrived.wait(after: seen, deadline: end)
            }
        }
        return router
    }
}

extension SampleSeries {
    /// The samples from `from` to before `to`, as ingestion picks them out.
    fileprivate func measured(from: Timestamp, to: Timestamp) -> SampleSeries {
        let kept = (0..<count).filter { (from..<to).contains(time($0)) }
        var part = self
        part.offsets = kept.map { offsets[$0] }
        part.values = values.map { values in kept.map { values[$0] } }
        part.contact = contact.map { contact in kept.map { contact[$0] } }
        part.latitudes = latitudes.map { values in kept.map { values[$0] } }
        part.longitudes = longitudes.map { values in kept.map { values[$0] } }
        part.altitudes = altitudes.map { values in kept.map { values[$0] } }
        part.accuracies = accuracies.map { values in kept.map { values[$0] } }
        return part
    }
}
