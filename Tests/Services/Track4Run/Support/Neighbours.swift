import Contracts
import Domain
import Primitives
import RPC
import ServiceTesting
import Synchronization

/// Accounts and query in memory.
final class Neighbours: Sendable {
    private struct State {
        var companies: Set<UUID> = []
        var names: [UUID: String] = [:]
        var emails: [String: UUID] = [:]
        var fiscalCodes: [String: UUID] = [:]
        var notices: [Accounts.Notify.Params] = []
        var checkIns: [Query.RequestCheckIn.Params] = []
        var isQueryDown = false
        var arrivals: [Ingestion.LiveSamples] = []
        var isIngestionDown = false
        var reads = 0
        var afterReading: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    /// What was told to whom, in order.
    var notices: [Accounts.Notify.Params] { state.withLock(\.notices) }
    var checkIns: [Query.RequestCheckIn.Params] { state.withLock(\.checkIns) }

    func addCompany(_ account: UUID) { state.withLock { _ = $0.companies.insert(account) } }
    func name(_ account: UUID, _ name: String) { state.withLock { $0.names[account] = name } }
    func email(_ account: UUID, _ email: String) { state.withLock { $0.emails[email] = account } }
    func fiscalCode(_ account: UUID, _ code: String) { state.withLock { $0.fiscalCodes[code] = account } }
    func setQueryDown(_ isDown: Bool) { state.withLock { $0.isQueryDown = isDown } }

    /// What devices have sent, as ingestion has stored it.
    func store(_ samples: Ingestion.LiveSamples) { state.withLock { $0.arrivals.append(samples) } }
    func setIngestionDown(_ isDown: Bool) { state.withLock { $0.isIngestionDown = isDown } }
    /// How often somebody's samples were read.
    var reads: Int { state.withLock(\.reads) }

    /// Done once, when the last page of somebody's samples has been read and before it is answered.
    func afterReading(_ body: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.afterReading = body }
    }

    /// Pages of one upload, so that there are several.
    func ingestion() -> LocalCaller {
        var router = RPCRouter()
        router.register(Ingestion.ReadGap.self, allow: ["track4run"]) { params, _ in
            let page = try self.page(of: params)
            if !page.hasMore, let body = self.state.withLock({ $0.afterReading.take() }) { try await body() }
            return page
        }
        return LocalCaller(router: router, as: "track4run")
    }

    private func page(of params: Ingestion.ReadGap.Params) throws -> Ingestion.ReadGap.Result {
        try state.withLock { state in
            state.reads += 1
            guard !state.isIngestionDown else { throw RPCError(.unavailable) }
            let own = state.arrivals.filter { $0.accountID == params.accountID }
            let read = Int(params.after.after)
            let page = own.dropFirst(read).prefix(1)
            return .init(
                uploads: page.map { .init(samples: $0, ageMilliseconds: 0) },
                next: .init(after: Int64(read + page.count)), hasMore: read + page.count < own.count)
        }
    }

    func accounts(_ tokens: TestTokens) -> LocalCaller {
        var router = RPCRouter()
        tokens.register(in: &router)
        router.register(Accounts.ReportErasure.self, allow: ["track4run"]) { _, _ in Empty() }
        router.register(Accounts.Name.self, allow: ["track4run"]) { params, _ in self.name(params.accountID) }
        router.register(Accounts.Find.self, allow: ["track4run"]) { params, _ in
            let found = self.state.withLock { state in
                params.email.flatMap { state.emails[$0.normalized] }
                    ?? params.fiscalCode.flatMap { state.fiscalCodes[$0.description] }
            }
            guard let found else { throw RPCError(.notFound) }
            return Accounts.Find.Result(accountID: found)
        }
        router.register(Accounts.Notify.self, allow: ["track4run"]) { params, _ in
            self.state.withLock { state in
                if !state.notices.contains(where: { $0.id == params.id }) { state.notices.append(params) }
            }
            return Empty()
        }
        return LocalCaller(router: router, as: "track4run")
    }

    func query() -> LocalCaller {
        var router = RPCRouter()
        router.register(Query.RequestCheckIn.self, allow: ["track4run"]) { params, _ in
            try self.state.withLock { state in
                guard !state.isQueryDown else { throw RPCError(.unavailable) }
                if !state.checkIns.contains(where: { $0.id == params.id }) { state.checkIns.append(params) }
            }
            return Empty()
        }
        return LocalCaller(router: router, as: "track4run")
    }

    private func name(_ account: UUID) -> Accounts.Name.Result {
        let (isCompany, name) = state.withLock { ($0.companies.contains(account), $0.names[account] ?? "Anna") }
        return isCompany
            ? .init(kind: .thirdParty, name: "Corse S.r.l.") : .init(kind: .individual, name: "\(name) Rossi")
    }
}
