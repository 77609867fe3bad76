import Feed
import JSON
import Postgres
import Primitives

/// What the anonymous store's feeds bring, through their handlers.
extension World {
    static func record(_ kind: String, _ value: some Encodable, version: Int64 = 1) throws -> FeedRecord {
        FeedRecord(
            lane: 0, position: 1, entity: .random(), version: version, kind: kind,
            payload: try JSONRaw(encoding: value), recordedAt: start)
    }

    static func entity(_ kind: String, _ value: some Encodable, version: Int64 = 1) throws -> FeedEntity {
        FeedEntity(entity: .random(), version: version, kind: kind, payload: try JSONRaw(encoding: value))
    }

    func apply(_ handler: some FeedHandler, _ records: [FeedRecord]) async throws {
        try await settle(try await handler.apply(records))
    }

    func snapshot(_ handler: some FeedHandler, _ entities: [FeedEntity]) async throws {
        try await settle(try await handler.beginSnapshot())
        try await settle(try await handler.apply(snapshot: entities))
        try await settle(try await handler.endSnapshot())
    }

    /// Does what a consumer does with a handler's effect.
    func settle(_ effect: FeedEffect) async throws {
        switch effect {
        case .statements(let statements): try await statistics.batch(statements)
        case .transaction(let body), .keptBut(let body): try await statistics.transaction { try await body($0) }
        case .kept: break
        }
    }
}
