import Contracts
import Feed
import Postgres
import Primitives

/// Takes the feed `accounts.profiles` into the columns: one arrival per batch.
struct ProfileIntake: FeedHandler {
    let clock: any WallClock

    private struct Erased: Decodable {
        let subject: Int32
    }

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        try effect(
            of: records.map { FeedEntity(entity: $0.entity, version: $0.version, kind: $0.kind, payload: $0.payload) })
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { try effect(of: entities) }
    func beginSnapshot() async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }

    /// Kinds that this program does not know are passed over.
    private func effect(of entities: [FeedEntity]) throws -> FeedEffect {
        var subjects: [Int32] = []
        var cells: [ProfileCell] = []
        for entity in entities {
            switch entity.kind {
            case "profile":
                let profile = try entity.decode(Accounts.CoarseProfile.self)
                subjects.append(profile.subject)
                cells.append(ProfileCell(profile, version: entity.version))
            case "erased":
                // Closed days keep the contribution, which no mask finds any more.
                subjects.append(try entity.decode(Erased.self).subject)
                cells.append(ProfileCell(erasedAt: entity.version))
            default: continue
            }
        }
        return .statements(try ColumnStore.adding(cells, of: subjects, to: .profiles, at: clock.now()))
    }
}
