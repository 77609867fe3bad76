import Domain
import Postgres
import Primitives

/// Goes through a person's samples of one data type in a span, batch by batch, in the order of arrival.
struct SampleScan: Sendable {
    /// Arrivals in memory at the same time.
    static let pageMax = 100

    let database: Database
    let keys: SubjectKeys

    /// Calls `use` with each stored batch that has the data type in the span; returning `false` ends it. Only what
    /// `SampleBatch` says about the type and span concerns the caller: more may be in the batch.
    func each(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp, _ use: (SampleBatch) throws -> Bool
    ) async throws {
        var last: Int64 = 0
        while true {
            let rows = try await database.query(
                ArrivalStore.matching(
                    after: last, of: account, types: type.bit, from: from, to: to, limit: Self.pageMax),
                as: Int64.self, UUID.self, UUID?.self, [UInt8].self)
            guard let end = rows.last?.0, let key = try await keys.existingKeys(of: [account])[account] else { return }
            for (arrival, id, device, sealed) in rows {
                let stored = StoredArrival(arrival: arrival, id: id, device: device, sealed: sealed)
                guard try use(try stored.samples(key)) else { return }
            }
            guard rows.count == Self.pageMax else { return }
            last = end
        }
    }

    /// The same for values: calls `use` with each sample of the type, in no order of time.
    func eachValue(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp,
        _ use: (_ time: Int64, _ value: Int64) -> Void
    ) async throws {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        try await each(of: account, type, from: from, to: to) { batch in
            for column in batch.values where column.type == type {
                for index in column.times.range(from: start, to: end) { use(column.times[index], column.values[index]) }
            }
            return true
        }
    }
}
