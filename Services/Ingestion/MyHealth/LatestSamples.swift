import Domain
import Postgres
import Primitives

/// The newest sample of each data type of a person (ING-06).
struct LatestSamples: Sendable {
    /// `GET /me/latest`, one data type.
    struct Latest: Encodable, Sendable {
        let type: DataType
        let time: Timestamp
        let unit: String
        var value: Double?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var accuracy: Double?
        /// Absent for what was entered or imported.
        let deviceID: UUID?
    }

    static let pageMax = 20
    /// Arrivals looked at for one data type at most; with one that is older the newest of these is given.
    static let arrivalsMax = 200

    let database: Database
    let keys: SubjectKeys

    func read(_ account: UUID) async throws -> [Latest] {
        guard let key = try await keys.existingKeys(of: [account])[account] else { return [] }
        let stored = try await database.query(
            ArrivalStore.spans(of: account), as: Int64.self, Timestamp.self, Timestamp.self)
        let mask = stored.reduce(Int64(0)) { $0 | $1.0 }
        var result: [DataType: Latest] = [:]
        for type in DataType.allCases where mask & type.bit != 0 {
            try await find(type, account, { try $0.samples(key) }, &result)
        }
        return result.values.sorted { $0.type.rawValue < $1.type.rawValue }
    }

    /// Backwards by the newest sample of any type, until nothing newer of this one can come.
    private func find(
        _ type: DataType, _ account: UUID, _ open: (StoredArrival) throws -> SampleBatch,
        _ result: inout [DataType: Latest]
    ) async throws {
        var offset = 0
        while offset < Self.arrivalsMax {
            let rows = try await database.query(
                ArrivalStore.newest(of: account, types: type.bit, offset: offset, rowsMax: Self.pageMax),
                as: Int64.self, UUID.self, UUID?.self, [UInt8].self, Timestamp.self, Int.self)
            for (arrival, id, device, sealed, latest, _) in rows {
                if let found = result[type], found.time >= latest { return }
                let batch = try open(StoredArrival(arrival: arrival, id: id, device: device, sealed: sealed))
                for sample in batch.latest(device) where sample.time > result[sample.type]?.time ?? .distantPast {
                    result[sample.type] = sample
                }
            }
            guard let found = rows.last?.5, rows.count < found || found == Self.pageMax else { return }
            offset += rows.count
        }
    }
}

extension SampleBatch {
    fileprivate func latest(_ device: UUID?) -> [LatestSamples.Latest] {
        var result: [LatestSamples.Latest] = []
        for column in values {
            guard let time = column.times.last, let value = column.values.last else { continue }
            result.append(
                .init(
                    type: column.type, time: Timestamp(milliseconds: time), unit: column.type.unit.description,
                    value: column.type.value(scaled: value), deviceID: device))
        }
        if let time = positions.times.last {
            let index = positions.count - 1
            result.append(
                .init(
                    type: .position, time: Timestamp(milliseconds: time), unit: DataType.position.unit.description,
                    latitude: positions.latitude(index), longitude: positions.longitude(index),
                    altitude: positions.altitude(index), accuracy: positions.accuracy(index), deviceID: device))
        }
        return result
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}
