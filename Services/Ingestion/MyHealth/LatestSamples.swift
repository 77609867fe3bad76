import Domain
import Postgres
import Primitives
import Security

/// The newest sample of each data type of a person (ING-06).
struct LatestSamples: Sendable {
    /// `GET /me/latest`, one data type.
    struct Latest: Encodable, Sendable {
        let type: DataType
        let time: Timestamp
        /// How long it lasted; absent for an instant.
        var durationMilliseconds: Int64?
        /// Where the device or file told it.
        var zoneOffset: ZoneOffset?
        let unit: String
        var value: Double?
        /// Whether the sensor touched the person, where the device tells.
        var contact: Bool?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var accuracy: Double?
        /// Absent for what was entered or imported.
        let deviceID: UUID?

        enum CodingKeys: String, CodingKey {
            case type, time, zoneOffset, unit, value, contact, latitude, longitude, altitude, accuracy, deviceID
            case durationMilliseconds = "duration_ms"
        }
    }

    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 1000

    let database: Database
    let keys: SubjectKeys

    func read(_ account: UUID) async throws -> [Latest] {
        guard let key = try await keys.existingKeys(of: [account])[account] else { return [] }
        let devices = Dictionary(
            uniqueKeysWithValues: try await database.query(
                ArrivalStore.devices(of: account), as: Int16.self, UUID.self
            ).map { ($0, $1) })
        var result: [DataType: Latest] = [:]
        var last: Int64 = 0
        while true {
            let page = try ArrivalPage<StoredArrival>(
                await database.run(ArrivalStore.after(last, of: account, rowsMax: Self.pageMax)), rowsMax: Self.pageMax)
            for row in page.rows {
                for sample in try row.samples(of: account, key).latest(devices[row.source])
                where sample.time >= result[sample.type]?.time ?? .distantPast {
                    result[sample.type] = sample
                }
                last = row.arrival
            }
            guard page.hasMore else { break }
        }
        return result.values.sorted { $0.type.rawValue < $1.type.rawValue }
    }
}

extension SampleBatch {
    fileprivate func latest(_ device: UUID?) -> [LatestSamples.Latest] {
        var result: [LatestSamples.Latest] = []
        for column in values {
            guard let time = column.times.last, let value = column.values.last else { continue }
            let duration = column.duration(column.count - 1)
            result.append(
                .init(
                    type: column.type, time: Timestamp(milliseconds: time),
                    durationMilliseconds: duration == 0 ? nil : duration,
                    zoneOffset: ZoneOffset?(column: column.zones[column.count - 1]), unit: column.type.unit.description,
                    value: column.type.value(scaled: value), contact: column.contacts?.last, deviceID: device))
        }
        if let time = positions.times.last {
            let index = positions.count - 1
            result.append(
                .init(
                    type: .position, time: Timestamp(milliseconds: time),
                    zoneOffset: ZoneOffset?(column: positions.zones[index]), unit: DataType.position.unit.description,
                    latitude: positions.latitude(index), longitude: positions.longitude(index),
                    altitude: positions.altitude(index), accuracy: positions.accuracy(index), deviceID: device))
        }
        return result
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}
