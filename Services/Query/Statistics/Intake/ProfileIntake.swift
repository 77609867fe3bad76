import Contracts
import Feed
import Postgres
import Primitives

/// Reads the feed `accounts.profiles` into the columns: one arrival per batch. A snapshot replaces all profiles at its
/// end. Of an erased subject the values go, too; not of one that a snapshot only lacks, which accounts may have lost.
struct ProfileIntake: FeedHandler {
    let clock: any WallClock

    private struct Erased: Decodable {
        let subject: Int32
    }

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        .statements(
            try adding(
                records.map {
                    FeedEntity(entity: $0.entity, version: $0.version, kind: $0.kind, payload: $0.payload)
                }, to: .profiles))
    }

    func beginSnapshot() async throws -> FeedEffect {
        .statements([ColumnStore.locking(.snapshotProfiles)] + ColumnStore.removing(.snapshotProfiles))
    }

    /// Adds to a column of its own, where no version is before it; until the end, questions are answered from the
    /// profiles before.
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        .statements(try adding(entities, to: .snapshotProfiles))
    }

    func endSnapshot() async throws -> FeedEffect {
        .statements(
            [ColumnStore.locking(.snapshotProfiles), ColumnStore.locking(.profiles)]
                + ColumnStore.moving(.snapshotProfiles, to: .profiles)
                + [ColumnStore.noting(.profiles, at: clock.now())])
    }

    /// Events of a kind that this program does not know are ignored.
    private func adding(_ entities: [FeedEntity], to key: ColumnKey) throws -> [SQL] {
        var subjects: [Int32] = []
        var cells: [ProfileCell] = []
        var erased: [Int32] = []
        for entity in entities {
            switch entity.kind {
            case "profile":
                let profile = try entity.decode(Accounts.CoarseProfile.self)
                subjects.append(profile.subject)
                cells.append(ProfileCell(profile, version: entity.version))
            case "erased":
                let subject = try entity.decode(Erased.self).subject
                subjects.append(subject)
                cells.append(ProfileCell(erasedAt: entity.version))
                erased.append(subject)
            default: continue
            }
        }
        return try ColumnStore.adding(cells, of: subjects, to: key, at: clock.now())
            + ErasedSubjects.adding(erased)
    }
}
