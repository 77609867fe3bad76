import Contracts
import JSON
import Primitives
import RPC
import Reactor
import Service

/// After accounts was restored from a backup, leaves out the subject numbers that it may have given out since, asks the other services
/// for the erasures that it has lost, and does them again. Until all have answered it withholds what it has (ACC-12).
struct RestoredAccounts: Sendable {
    private static let callTime = Duration.seconds(10)
    private static let pause = Duration.seconds(5)

    let erasures: Erasures
    let restored: RestoredDatabase
    let peers: [ServiceName: any RPCCaller]
    let log: Log

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        parts.beforeServing.append { try await restored.look() }
        parts.readiness.append(ReadinessCheck("erasures", isRequired: false) { restored.behind == nil })
        parts.tasks.append(
            BackgroundTask("erasures after a restore") {
                try await restored.look()
                guard restored.behind != nil else { return }
                try await erasures.store.transaction { try await SubjectNumbers().skip(in: $0) }
                var open = peers
                while true {
                    for service in open.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                        if try await ask(service, open[service]) { open[service] = nil }
                    }
                    if open.isEmpty { return try await restored.settle() }
                    try await pacing.pause(Self.pause)
                }
            })
    }

    /// Whether the service has told all that it knows.
    private func ask(_ service: ServiceName, _ caller: (any RPCCaller)?) async throws -> Bool {
        guard let caller else { return true }
        var last: UUID?
        repeat {
            let page: KnownErasures.Page
            do throws(RPCError) {
                page = try await Self.page(of: service, caller, .init(after: last))
            } catch {
                log.warning(
                    "a service does not tell its erasures: nothing is served until it does",
                    ["service": .string(service.rawValue), "error": .string(error.description)])
                return false
            }
            try await erasures.eraseAgain(page.erasures)
            // Forward only, so that no answer keeps this going for ever.
            guard let next = page.next, last.map({ $0 < next }) ?? true else { return true }
            last = next
        } while true
    }

    private static func page(
        of service: ServiceName, _ caller: any RPCCaller, _ params: KnownErasures.Params
    ) async throws(RPCError) -> KnownErasures.Page {
        let deadline = Deadline.after(callTime)
        switch service {
        case .accounts: return .init(erasures: [], next: nil)
        case .ingestion: return try await caller.call(Ingestion.KnownErasures.self, params, deadline: deadline)
        case .query: return try await caller.call(Query.KnownErasures.self, params, deadline: deadline)
        case .dispatcher: return try await caller.call(Dispatcher.KnownErasures.self, params, deadline: deadline)
        case .track4run: return try await caller.call(Track4Run.KnownErasures.self, params, deadline: deadline)
        }
    }
}
