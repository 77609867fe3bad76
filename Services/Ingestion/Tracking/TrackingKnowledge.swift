import Domain
import Postgres
import Primitives

/// What is known of a person's devices and pauses: why something may not have been measured.
struct TrackingKnowledge: Sendable {
    struct Device: Sendable {
        let isRemoved: Bool
        /// A mask of what it may provide; `nil`: all.
        let types: Int64?
    }

    /// By the number of the source.
    let devices: [Int16: Device]
    let pauses: [Pause]

    static func read(of account: UUID, in database: Database) async throws -> TrackingKnowledge {
        let answers = try await database.runBatch([Self.devices(of: account), Pause.pauses(of: [account])])
        let devices = try answers[0].rows.map { row throws(PostgresError) in
            let number: Int16 = try row["number"]
            return (number, Device(isRemoved: try row["is_removed"], types: try row["types"]))
        }
        let pauses = try answers[1].rows.map { row throws(PostgresError) in try Pause(row: row) }
        return TrackingKnowledge(devices: Dictionary(uniqueKeysWithValues: devices), pauses: pauses)
    }

    private static func devices(of account: UUID) -> SQL {
        """
        select s.number, coalesce(d.is_removed, false) as is_removed, d.types from source s
        left join lateral (select is_removed, types from device where device_id = s.identity limit 1) d on true
        where s.person = (select number from person where account_id = \(account)) and s.kind = 'device'
        """
    }

    /// Of a gap (milliseconds since 1970). What holds of devices now explains only a gap that lasts until now (`isOpen`).
    func reason(
        of type: DataType, _ gap: Range<Int64>, isOpen: Bool, devices numbers: Set<Int16>, isSilent: Bool
    ) -> TrackingGaps.Reason {
        let isPaused = pauses.contains { pause in
            pause.group == type.group && pause.from.milliseconds < gap.upperBound
                && pause.to.map { $0.milliseconds > gap.lowerBound } ?? true
        }
        if isPaused { return .paused }
        let own = numbers.compactMap { devices[$0] }
        if isOpen, !own.isEmpty {
            let left = own.filter { !$0.isRemoved }
            if left.isEmpty { return .deviceRemoved }
            if left.allSatisfy({ $0.types.map { $0 & type.bit == 0 } ?? false }) { return .notCollected }
        }
        return isSilent ? .deviceSilent : .notMeasured
    }
}
