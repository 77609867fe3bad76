import Contracts
import Domain
import HTTP
import JSON
import Primitives

/// Samples as data points of Open mHealth (https://www.openmhealth.org/documentation/#/schema-docs), one on each line, written
/// series by series. Their headers fit Open mHealth's schema (`omh:header:1.2`) and that of IEEE 1752.1, which replaces it;
/// bodies: `OpenMHealthBody`.
///
/// A point has a value: readings without contact are left out, and so is a systolic or diastolic pressure without the other one of its
/// time. A value that stands for the samples of its interval has a `descriptive_statistic`. Times are local where the device told its
/// zone, else UTC; a point counts as created at its end, since when it was is not known. Identifiers: `ReadingNames`.
struct OpenMHealthPoints {
    static let type = MediaType("application/vnd.openmhealth+ndjson")

    private var names: ReadingNames
    private var pairs = BloodPressurePairs()
    private let bodies: [DataType: OpenMHealthBody]
    private let pressure = OpenMHealthBody.bloodPressure
    private let user: [UInt8]
    private let activities: [Int64: [UInt8]]
    private var bytes: [UInt8] = []
    /// A time that is written more than once.
    private var created: [UInt8] = []

    /// `subject` must not tell who the person is, as `urn:uuid:` and the request's identifier does not.
    init(of request: UUID, subject: String) {
        names = ReadingNames(of: request)
        bodies = .init(
            uniqueKeysWithValues: DataType.allCases.compactMap { type in OpenMHealthBody(type).map { (type, $0) } })
        var user = Array("\",\"user_id\":".utf8)
        JSONWriter.string(subject, into: &user)
        user.append("},\"body\":{")
        self.user = user
        activities = OpenMHealthBody.activityNames
    }

    /// The lines of samples or, with `statistic`, of values that stand for the samples of their intervals. A pressure waits for its
    /// other half. Errors: a unit that the type is not measured in.
    mutating func lines(
        of series: [SampleSeries], as statistic: ReadingStatistic? = nil
    ) throws(UnitError) -> [UInt8] {
        bytes = []
        defer { bytes = [] }
        for one in series {
            switch one.type {
            case .position: addPositions(of: one)
            case .bloodPressureSystolic, .bloodPressureDiastolic: try addPressures(of: one, statistic)
            default: try add(one, statistic)
            }
        }
        return bytes
    }

    /// Nothing: a pressure whose other half did not come has no schema.
    mutating func finish() -> [UInt8] {
        pairs = BloodPressurePairs()
        return []
    }

    // MARK: Points

    private mutating func add(_ series: SampleSeries, _ statistic: ReadingStatistic?) throws(UnitError) {
        let type = series.type
        guard let body = bodies[type] else { return }
        let readings = try FormReadings(series)
        let times = LocalTimes(series.zoneOffset)
        for index in readings.indices {
            let reading = readings[index]
            guard let value = reading.value else { continue }
            begin(
                names.id(type.rawValue, statistic, reading.time, reading.milliseconds, value), body, reading.end, times)
            bytes += body.member
            if type == .activity {
                bytes += activities[value] ?? []
            } else {
                bytes.append(scaled: value, decimals: type.decimals)
                bytes += body.unit
            }
            end(from: reading.time, reading.end, isInterval: body.isInterval, statistic, times)
        }
    }

    private mutating func addPressures(of series: SampleSeries, _ statistic: ReadingStatistic?) throws(UnitError) {
        let readings = try FormReadings(series)
        let isSystolic = series.type == .bloodPressureSystolic
        for index in readings.indices {
            if let pair = pairs.pair(readings[index], isSystolic: isSystolic, statistic, zone: series.zoneOffset) {
                add(pair)
            } else if pairs.isOverfull {
                _ = pairs.takeWaiting()
            }
        }
    }

    private mutating func add(_ pair: BloodPressure) {
        guard let systolic = pair.systolic.value, let diastolic = pair.diastolic.value else { return }
        let times = LocalTimes(pair.zone)
        let id = names.id(0, pair.statistic, pair.time, pair.milliseconds, systolic, diastolic)
        begin(id, pressure, pair.end, times)
        bytes += pressure.member
        bytes.append(scaled: systolic, decimals: DataType.bloodPressureSystolic.decimals)
        bytes += pressure.unit
        bytes.append(",\"diastolic_blood_pressure\":{\"value\":")
        bytes.append(scaled: diastolic, decimals: DataType.bloodPressureDiastolic.decimals)
        bytes += pressure.unit
        end(from: pair.time, pair.end, isInterval: false, pair.statistic, times)
    }

    private mutating func addPositions(of series: SampleSeries) {
        guard let body = bodies[.position], let latitudes = series.latitudes,
            let longitudes = series.longitudes
        else { return }
        let times = LocalTimes(series.zoneOffset)
        for index in latitudes.indices {
            guard let place = Coordinate(latitude: latitudes[index], longitude: longitudes[index]) else { continue }
            let latitude = DataType.position.scaled(place.latitude)
            let longitude = DataType.position.scaled(place.longitude)
            let time = series.time(index)
            begin(names.id(DataType.position.rawValue, nil, time, 0, latitude, longitude), body, time, times)
            bytes += body.member
            bytes.append(scaled: latitude, decimals: DataType.position.decimals)
            bytes += body.unit
            bytes.append(",\"longitude\":{\"value\":")
            bytes.append(scaled: longitude, decimals: DataType.position.decimals)
            bytes += body.unit
            if let altitude = series.altitudes?[index], (-500...12_000).contains(altitude) {
                bytes.append(",\"elevation\":{\"value\":")
                bytes.append(scaled: Int64((altitude * 10).rounded()), decimals: 1)
                bytes.append(",\"unit\":\"m\"}")
            }
            end(from: time, time, isInterval: false, nil, times)
        }
    }

    private mutating func begin(_ id: UUID, _ body: OpenMHealthBody, _ time: Timestamp, _ times: LocalTimes) {
        created.removeAll(keepingCapacity: true)
        times.write(time, to: &created)
        bytes.append("{\"header\":{\"id\":\"")
        bytes.append(id)
        // The same in IEEE 1752.1.
        bytes.append("\",\"uuid\":\"")
        bytes.append(id)
        bytes += body.schema
        bytes += created
        bytes.append("\",\"source_creation_date_time\":\"")
        bytes += created
        bytes += user
    }

    private mutating func end(
        from start: Timestamp, _ end: Timestamp, isInterval: Bool, _ statistic: ReadingStatistic?, _ times: LocalTimes
    ) {
        if start == end, !isInterval {
            bytes.append(",\"effective_time_frame\":{\"date_time\":\"")
        } else {
            bytes.append(",\"effective_time_frame\":{\"time_interval\":{\"start_date_time\":\"")
            times.write(start, to: &bytes)
            bytes.append("\",\"end_date_time\":\"")
        }
        bytes += created
        bytes.append(start == end && !isInterval ? "\"}" : "\"}}")
        switch statistic {
        case .mean: bytes.append(",\"descriptive_statistic\":\"average\"")
        case .sum: bytes.append(",\"descriptive_statistic\":\"sum\"")
        case nil: break
        }
        bytes.append("}}\n")
    }
}
