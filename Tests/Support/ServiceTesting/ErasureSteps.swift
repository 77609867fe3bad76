public import Contracts
public import Domain
import Feed
import JSON
public import Postgres
public import Primitives
public import Service

extension ErasureFollower {
    /// Does an erasure as accounts tells it, and what the consumer does with the effect; its id.
    @discardableResult
    public func erase(
        _ account: UUID, _ kind: AccountKind = .individual, _ scope: Accounts.Erasure.Scope = .account,
        id: UUID = .random(), at time: Timestamp, in database: Database
    ) async throws -> UUID {
        let erasure = Accounts.Erasure(
            erasureID: id, accountID: account, kind: kind, scope: scope, requestedAt: time)
        let record = FeedRecord(
            lane: 0, position: 1, entity: account, version: 1, kind: Accounts.erasureKind,
            payload: try JSONRaw(encoding: erasure), recordedAt: time)
        switch try await apply([record]) {
        case .statements(let statements): try await database.batch(statements)
        case .transaction(let body), .keptBut(let body): try await database.transaction { try await body($0) }
        case .kept: break
        }
        await committed([record])
        return id
    }

    /// The lines of the receipt, by what they tell of.
    public static func items(
        of erasure: UUID, in database: Database
    ) async throws -> [String: Accounts.ErasedItem] {
        let text = try await database.queryOne("select items from erasure where id = \(erasure)", as: String.self)
        let items = try JSONDecoder().decode([Accounts.ErasedItem].self, from: Array((text ?? "[]").utf8))
        return Dictionary(items.map { ($0.what, $0) }) { first, _ in first }
    }
}
