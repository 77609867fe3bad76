import Contracts
import Domain
import HTTP
import Primitives

/// Samples as Observations of FHIR R4 (https://hl7.org/fhir/R4/observation.html), one on each line as in bulk data, written
/// series by series.
///
/// What HL7's vital signs profiles know conforms to them: LOINC codes, UCUM units, and a panel (85354-9) for a systolic and a
/// diastolic pressure of the same time. Other data types have a LOINC code where one fits, or else the code of their name in
/// `urn:trackme:data-type`; activities are codes of `urn:trackme:activity`. A reading without contact, which is no value of the
/// person, is a `dataAbsentReason` `error`; the other half of a pressure that came alone is `unknown`. A value that stands for the
/// samples of its period says by its `method` how. Positions are left out: FHIR has no observation of them.
///
/// The subject is an identifier that the caller gives, and no reference that an importer would look for. Times are local where the
/// device told its zone, else UTC. Identifiers: `ReadingNames`.
struct FHIRObservations {
    static let type = MediaType("application/fhir+ndjson")

    private var names: ReadingNames
    private var pairs: BloodPressurePairs
    private let frames: [DataType: FHIRFrame]
    private let pressure: FHIRFrame
    private let activities = ActivityValues()
    private var bytes: [UInt8] = []

    /// `subject` must not tell who the person is, as `urn:uuid:` and the request's identifier does not.
    init(of request: UUID, subject: String, waitingMax: Int = BloodPressurePairs.waitingMax) {
        names = ReadingNames(of: request)
        pairs = BloodPressurePairs(waitingMax: waitingMax)
        frames = .init(
            uniqueKeysWithValues: DataType.allCases.compactMap { type in
                FHIRCode(type).map { (type, FHIRFrame($0, type.unit, subject)) }
            })
        pressure = FHIRFrame(.bloodPressure, .millimetreOfMercury, subject)
    }

    /// The lines of samples or, with `statistic`, of values that stand for the samples of their periods. A pressure waits for its other
    /// half. Errors: a unit that the type is not measured in.
    mutating func lines(
        of series: [SampleSeries], as statistic: ReadingStatistic? = nil
    ) throws(UnitError) -> [UInt8] {
        bytes = []
        for one in series {
            switch one.type {
            case .position: continue
            case .bloodPressureSystolic, .bloodPressureDiastolic: try addPressures(of: one, statistic)
            default: try add(one, statistic)
            }
        }
        return take()
    }

    /// The lines of the pressures whose other half did not come.
    mutating func finish() -> [UInt8] {
        bytes = []
        addWaiting()
        return take()
    }

    private mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: Observations

    private mutating func add(_ series: SampleSeries, _ statistic: ReadingStatistic?) throws(UnitError) {
        let type = series.type
        guard let frame = frames[type] else { return }
        let readings = try FormReadings(series)
        let times = LocalTimes(series.zoneOffset)
        for index in readings.indices {
            let reading = readings[index]
            begin(names.id(type.rawValue, statistic, reading.time, reading.milliseconds, reading.value), frame)
            addTime(reading.time, reading.end, times)
            if let statistic { bytes.append(statistic.method) }
            if let value = reading.value {
                if type == .activity {
                    bytes += activities[value]
                } else {
                    addQuantity(value, type.decimals, frame)
                }
            } else {
                bytes.append(AbsentReason.error)
            }
            bytes.append("}\n")
        }
    }

    private mutating func addPressures(of series: SampleSeries, _ statistic: ReadingStatistic?) throws(UnitError) {
        let readings = try FormReadings(series)
        let isSystolic = series.type == .bloodPressureSystolic
        for index in readings.indices {
            if let pair = pairs.pair(readings[index], isSystolic: isSystolic, statistic, zone: series.zoneOffset) {
                add(pair)
            } else if pairs.isOverfull {
                addWaiting()
            }
        }
    }

    private mutating func addWaiting() {
        for pressure in pairs.takeWaiting() { add(pressure) }
    }

    private mutating func add(_ pair: BloodPressure) {
        // A half has another identifier than the whole, and than the other half.
        let kind =
            pair.isWhole
            ? 0 : (pair.diastolic == .missing ? DataType.bloodPressureSystolic : .bloodPressureDiastolic).rawValue
        let id = names.id(
            kind, pair.statistic, pair.time, pair.milliseconds, pair.systolic.value, pair.diastolic.value)
        begin(id, pressure)
        addTime(pair.time, pair.end, LocalTimes(pair.zone))
        if let statistic = pair.statistic { bytes.append(statistic.method) }
        bytes.append(",\"component\":[{\"code\":")
        bytes += Self.systolic
        add(pair.systolic, .bloodPressureSystolic)
        bytes.append("},{\"code\":")
        bytes += Self.diastolic
        add(pair.diastolic, .bloodPressureDiastolic)
        bytes.append("}]}\n")
    }

    private mutating func add(_ part: BloodPressure.Part, _ type: DataType) {
        switch part {
        case .value(let value): addQuantity(value, type.decimals, pressure)
        case .noValue: bytes.append(AbsentReason.error)
        case .missing: bytes.append(AbsentReason.unknown)
        }
    }

    private static let systolic = FHIRText.concept([FHIRCode.systolic])
    private static let diastolic = FHIRText.concept([FHIRCode.diastolic])

    private mutating func begin(_ id: UUID, _ frame: FHIRFrame) {
        bytes.append("{\"resourceType\":\"Observation\",\"id\":\"")
        bytes.append(id)
        bytes += frame.head
    }

    private mutating func addTime(_ start: Timestamp, _ end: Timestamp, _ times: LocalTimes) {
        if start == end {
            bytes.append(",\"effectiveDateTime\":\"")
            times.write(start, to: &bytes)
            bytes.append("\"")
        } else {
            bytes.append(",\"effectivePeriod\":{\"start\":\"")
            times.write(start, to: &bytes)
            bytes.append("\",\"end\":\"")
            times.write(end, to: &bytes)
            bytes.append("\"}")
        }
    }

    private mutating func addQuantity(_ value: Int64, _ decimals: Int, _ frame: FHIRFrame) {
        bytes.append(",\"valueQuantity\":{\"value\":")
        bytes.append(scaled: value, decimals: decimals)
        bytes += frame.unit
    }

    private enum AbsentReason {
        static let error: StaticString =
            ",\"dataAbsentReason\":{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/data-absent-reason\",\"code\":\"error\",\"display\":\"Error\"}]}"
        static let unknown: StaticString =
            ",\"dataAbsentReason\":{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/data-absent-reason\",\"code\":\"unknown\",\"display\":\"Unknown\"}]}"
    }
}
