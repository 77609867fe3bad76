import Postgres
import Primitives
import Reactor
import Security

/// Takes applications that the operator has withdrawn from people's devices, and tells the people (ACC-14): one person after the
/// other, with rests, since there may be a million.
struct ApplicationWithdrawals: Sendable {
    static let interval = Duration.seconds(60)
    private static let pageMax = 100
    /// Rest after each page, times what it took.
    private static let restFactor = 2

    let store: Store

    private struct Due: Sendable {
        let device: UUID
        let account: UUID
        let name: String
        let reason: String
    }

    func removeDue() async throws {
        var last = UUID(high: 0, low: 0)
        while true {
            let start = Deadline.now()
            let page = try await due(after: last)
            for one in page { try await remove(one) }
            guard page.count == Self.pageMax, let end = page.last?.device else { return }
            last = end
            try await EventLoop.current?.sleep(for: Deadline.now().since(start) * Self.restFactor)
        }
    }

    private func due(after last: UUID) async throws -> [Due] {
        try await store.database.query(
            """
            select d.id, d.account, a.name, a.withdrawal_reason
            from device d join source_application a on a.id = d.application
            where a.withdrawn_at is not null and d.id > \(last) order by d.id limit \(Self.pageMax)
            """, as: UUID.self, UUID.self, String.self, String.self
        ).map { Due(device: $0.0, account: $0.1, name: $0.2, reason: $0.3) }
    }

    private func remove(_ due: Due) async throws {
        try await store.transaction { transaction in
            // Erased, or removed by its owner, meanwhile.
            guard let version = try await Store.nextVersion(of: due.account, in: transaction),
                try await Devices.removeIfThere(
                    due.device, of: due.account, version: version, store: store, in: transaction)
            else { return }
            try await Inbox.warn(
                due.account, MessageCatalogue.applicationWithdrawn,
                ["application": due.name, "reason": due.reason], store: store, in: transaction)
        }
    }
}
