import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Follows `ingestion.live`: judges the samples of watched people in memory (`LiveMonitors`), and opens incidents and writes whatever
/// else follows at once (SOS-02, SOS-05); the cursor follows when the monitors are saved. Samples that ingestion withholds, and those of people whose keys are not
/// at hand, are read later (`GapReader`).
struct LiveSamplesHandler: FeedHandler {
    let people: WatchedPeople
    let live: LiveMonitors
    let gaps: GapStore
    let standby: StandbyWatch
    let log: Log

    func follow(_ parts: FeedParts, ofShard shard: Int) async throws {
        people.standby.roster.follow(parts, ofShard: shard)
    }

    func foresee(_ records: [FeedRecord], ofShard shard: Int) async {
        // What ingestion withholds is a gap, which is read with the database.
        await standby.observe(
            records.filter { $0.kind == Ingestion.liveSamplesKind }.compactMap(read), ofShard: shard)
    }

    func foresightEnded(ofShard shard: Int) async { standby.end(shard: shard) }

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        // Incidents of these people that were opened without the database come first: with the times they really had.
        await people.desk.settleBefore(judging: Set(records.map(\.entity)))
        let uploads = records.filter { $0.kind == Ingestion.liveSamplesKind }.compactMap(read)
        let withheld = records.filter { $0.kind == Ingestion.liveWithheldKind }
        let openings = withheld.isEmpty ? [] : [gaps.open(withheld)]
        let loud = try await live.judge(uploads)
        guard !loud.isEmpty || !openings.isEmpty else { return .kept }
        return .keptBut { transaction in
            // Monitors first, as everybody does who changes both.
            let keyless = loud.isEmpty ? [] : try await people.observe(loud, in: transaction)
            let unseen = keyless.isEmpty ? [] : [gaps.open(ofKeyless: records.filter { keyless.contains($0.entity) })]
            if case let statements = openings + unseen, !statements.isEmpty { try await transaction.batch(statements) }
        }
    }

    func save(ofShard shard: Int) async throws { try await live.save() }

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
