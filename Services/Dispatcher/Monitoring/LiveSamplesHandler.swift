import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Follows `ingestion.live`: applies the samples of watched people to their monitors and opens incidents, in the
/// transaction that moves the feed's cursor (SOS-02, SOS-05). Samples that ingestion withholds, and those of people whose keys are not
/// at hand, are read later (`GapReader`).
struct LiveSamplesHandler: FeedHandler {
    let people: WatchedPeople
    let gaps: GapStore
    let log: Log

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let uploads = records.filter { $0.kind == Ingestion.liveSamplesKind }.compactMap(read)
        let withheld = records.filter { $0.kind == Ingestion.liveWithheldKind }
        let openings = withheld.isEmpty ? [] : [gaps.open(withheld)]
        guard !uploads.isEmpty else { return .statements(openings) }
        return .transaction { transaction in
            // Monitors first, as everybody does who changes both.
            let keyless = try await people.observe(uploads, in: transaction)
            let unseen = keyless.isEmpty ? [] : [gaps.open(ofKeyless: records.filter { keyless.contains($0.entity) })]
            if case let statements = openings + unseen, !statements.isEmpty { try await transaction.batch(statements) }
        }
    }

    // Samples have no state that a snapshot could hold: what was missed is read person by person (`GapReader`).
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { try await endSnapshot(of: .all) }
    func endSnapshot(of parts: FeedParts) async throws -> FeedEffect { .statements([gaps.openAll(parts)]) }

    /// `nil` for an event that cannot be read: it concerns one person, and the others' alarms do not wait for it.
    private func read(_ record: FeedRecord) -> WatchedPeople.Upload? {
        do {
            return .init(samples: try record.decode(), age: record.age)
        } catch {
            log.error(
                "live samples cannot be read",
                ["account": .string(record.entity.description), "error": Log.text(of: error)])
            return nil
        }
    }
}
