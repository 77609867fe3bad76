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
        /// As the device or file told it, else of the person's own zone.
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

    let database: Database
    let samples: PersonSamples

    func read(_ account: UUID) async throws -> [Latest] {
        let devices = try await ArrivalStore.devices(of: account, in: database)
        var result: [DataType: Latest] = [:]
        for source in try await samples.newest(of: account).flatMap(\.sources) {
            for sample in source.batch.latest(devices[source.source])
            where sample.time >= result[sample.type]?.time ?? .distantPast {
                result[sample.type] = sample
            }
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
