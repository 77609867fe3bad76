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

    private struct Row: PostgresRowDecodable {
        let stored: StoredArrival
        let latest: Timestamp

        init(row: PostgresRow) throws(PostgresError) {
            stored = try StoredArrival(row: row)
            latest = try row["latest"]
        }
    }

    static let pageMax = 20
    /// Arrivals read for one data type at most. When the newest sample is not in them, the newest of these is given.
    static let arrivalsMax = 200

    let database: Database
    let keys: SubjectKeys

    func read(_ account: UUID) async throws -> [Latest] {
        guard let key = try await keys.existingKeys(of: [account])[account] else { return [] }
        let mask = try await database.queryOne(ArrivalStore.types(of: account), as: Int64.self) ?? 0
        var result: [DataType: Latest] = [:]
        for type in DataType.allCases where mask & type.bit != 0 {
            try await find(type, account, key, &result)
        }
        return result.values.sorted { $0.type.rawValue < $1.type.rawValue }
    }

    /// Reads backwards from the newest sample of any type, until no newer one of this type can come.
    private func find(
        _ type: DataType, _ account: UUID, _ key: SubjectKey, _ result: inout [DataType: Latest]
    ) async throws {
        var offset = 0
        while offset < Self.arrivalsMax {
            let page = try ArrivalPage<Row>(
                await database.run(
                    ArrivalStore.newest(of: account, types: type.bit, offset: offset, rowsMax: Self.pageMax)),
                rowsMax: Self.pageMax)
            for row in page.rows {
                if let found = result[type], found.time >= row.latest { return }
                for sample in try row.stored.samples(key).latest(row.stored.device)
                where sample.time > result[sample.type]?.time ?? .distantPast {
                    result[sample.type] = sample
                }
            }
            guard page.hasMore else { return }
            offset += page.rows.count
        }
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
