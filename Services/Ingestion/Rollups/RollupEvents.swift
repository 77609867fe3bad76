import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Security
import Service

/// The events of one closed day: for each data type all people's values, shuffled, in batches, so that neither order
/// nor grouping identifies anybody (ARCHITECTURE, "The anonymous store"). The last event holds the number of batches.
///
/// Stored values are sealed with the publication's key, since the map from subjects to accounts is stored beside them;
/// they are opened when the consumer reads them.
enum RollupEvents {
    /// People in one batch, so that it stays below `FeedEvent.payloadBytesMax`, sealed and in base64.
    static let batchMax = 1500
    static let kind = "day"
    static let completeKind = "day-complete"
    static let closedKind = "closed"

    /// The stored payload of kind `day`.
    struct SealedBatch: Codable {
        let publication: UUID
        /// `Ingestion.DayRollups`, in base64.
        let sealed: String
    }

    static func events(
        of day: CalendarDate, _ columns: [DataType: DayValues.Column], publication: UUID, key: SubjectKey
    ) throws(JSONError) -> [FeedEvent] {
        var events: [FeedEvent] = []
        for (type, column) in columns {
            let order = column.subjects.indices.shuffled()
            for start in stride(from: 0, to: order.count, by: batchMax) {
                let batch = order[start..<min(start + batchMax, order.count)]
                let rollups = Ingestion.DayRollups(
                    type: type, day: day, subjects: batch.map { column.subjects[$0] },
                    values: batch.map { PublishedDay.rounded(column.values[$0], type) }, publication: publication)
                let sealed = key.seal(try JSONEncoder().encode(rollups), at: SealedLocation.rollups(publication))
                events.append(
                    try FeedEvent(
                        feed: Ingestion.rollupsFeed, entity: .random(), version: 1, kind: kind,
                        encoding: SealedBatch(publication: publication, sealed: Base64.standard.encode(sealed))))
            }
        }
        let complete = Ingestion.DayComplete(day: day, publication: publication, batches: events.count)
        return events.shuffled()
            + [
                try FeedEvent(
                    feed: Ingestion.rollupsFeed, entity: publication, version: 1, kind: completeKind, encoding: complete
                )
            ]
    }

    /// The feed, for query. A snapshot lists the closed days without their values: the consumer asks for those that it
    /// lacks.
    static func feed(in database: Database, _ keys: PublicationKeys, _ log: Log) -> FeedDefinition {
        FeedDefinition(
            name: Ingestion.rollupsFeed, durable: [ServiceName.query.rawValue],
            snapshot: { _ in
                let days = try await database.query(RollupStore.closedDays, as: CalendarDate.self)
                return FeedDefinition.Page(
                    entities: try days.map {
                        FeedEntity(
                            entity: .random(), version: 1, kind: closedKind,
                            payload: try JSONRaw(encoding: Ingestion.ClosedDay(day: $0)))
                    }, next: nil)
            },
            reveal: { try await reveal($0, keys, log) })
    }

    /// A batch that cannot be read any more is left out; the consumer finds the day incomplete and asks for it again.
    private static func reveal(
        _ records: [FeedRecord], _ keys: PublicationKeys, _ log: Log
    ) async throws -> [FeedRecord] {
        let batches = records.map { record in record.kind == kind ? try? record.decode(SealedBatch.self) : nil }
        let known = try await keys.keys(of: Set(batches.compactMap { $0?.publication }))
        return zip(records, batches).compactMap { record, batch in
            guard record.kind == kind else { return record }
            do {
                guard let batch, let sealed = Base64.standard.decode(batch.sealed) else {
                    throw SecurityError.malformed("a batch of rollups that is not sealed")
                }
                // The key is no longer kept.
                guard let key = try known[batch.publication]?.get() else { return nil }
                let opened = try key.open(sealed, at: SealedLocation.rollups(batch.publication))
                return record.with(payload: try JSONRaw(validating: opened))
            } catch {
                log.error(
                    "batch of rollups left out",
                    [
                        "lane": .integer(Int64(record.lane)), "feed_position": .integer(record.position),
                        "error": Log.text(of: error),
                    ])
                return nil
            }
        }
    }
}
