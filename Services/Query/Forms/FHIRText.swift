import Domain
import JSON

/// Pieces of FHIR's JSON that are made once.
enum FHIRText {
    /// A CodeableConcept.
    static func concept(_ codings: [FHIRCode.Coding]) -> [UInt8] {
        var bytes = Array("{\"coding\":[".utf8)
        for coding in codings {
            JSONWriter.beginObject(into: &bytes)
            JSONWriter.key("system", into: &bytes)
            JSONWriter.string(coding.system, into: &bytes)
            JSONWriter.key("code", into: &bytes)
            JSONWriter.string(coding.code, into: &bytes)
            if let display = coding.display {
                JSONWriter.key("display", into: &bytes)
                JSONWriter.string(display, into: &bytes)
            }
            JSONWriter.endObject(into: &bytes)
        }
        bytes.append("]}")
        return bytes
    }
}

/// What the observations of a data type have in common.
struct FHIRFrame {
    /// From the identifier to the time.
    let head: [UInt8]
    /// After the value.
    let unit: [UInt8]

    init(_ code: FHIRCode, _ unit: Unit, _ subject: String) {
        var head = Array("\"".utf8)
        if let profile = code.profile {
            JSONWriter.key("meta", into: &head)
            JSONWriter.raw(
                Array("{\"profile\":[\"http://hl7.org/fhir/StructureDefinition/\(profile)\"]}".utf8), into: &head)
        }
        JSONWriter.key("status", into: &head)
        JSONWriter.string("final", into: &head)
        JSONWriter.key("category", into: &head)
        let category = FHIRCode.Coding(
            system: "http://terminology.hl7.org/CodeSystem/observation-category", code: code.category.rawValue,
            display: nil)
        JSONWriter.raw(Array("[".utf8) + FHIRText.concept([category]) + Array("]".utf8), into: &head)
        JSONWriter.key("code", into: &head)
        JSONWriter.raw(FHIRText.concept(code.codings), into: &head)
        JSONWriter.key("subject", into: &head)
        JSONWriter.raw(
            Array("{\"type\":\"Patient\",\"identifier\":{\"system\":\"urn:ietf:rfc:3986\",\"value\":".utf8), into: &head
        )
        JSONWriter.string(subject, into: &head)
        head.append("}}")
        self.head = head
        var tail: [UInt8] = []
        JSONWriter.key("unit", into: &tail)
        JSONWriter.string(code.unit, into: &tail)
        JSONWriter.key("system", into: &tail)
        JSONWriter.string("http://unitsofmeasure.org", into: &tail)
        JSONWriter.key("code", into: &tail)
        JSONWriter.string(unit.description, into: &tail)
        self.unit = Array(",".utf8) + tail + Array("}".utf8)
    }
}

extension ReadingStatistic {
    /// As a member of an Observation.
    var method: StaticString {
        switch self {
        case .mean:
            ",\"method\":{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/observation-statistics\",\"code\":\"average\",\"display\":\"Average\"}]}"
        case .sum:
            ",\"method\":{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/observation-statistics\",\"code\":\"sum\",\"display\":\"Sum\"}]}"
        }
    }
}

/// The values of `DataType.activity` as members of an Observation: what the person did and, as a component, whether under a roof.
struct ActivityValues {
    private let texts: [Int64: [UInt8]]

    init() {
        var texts: [Int64: [UInt8]] = [:]
        for kind in Activity.Kind.allCases {
            for place in Activity.Place.allCases {
                var text = Array(",\"valueCodeableConcept\":".utf8) + Self.concept(kind.name)
                if place != .unknown {
                    text.append(",\"component\":[{\"code\":")
                    text += Self.concept("place")
                    text.append(",\"valueCodeableConcept\":")
                    text += Self.concept("\(place)")
                    text.append("}]")
                }
                texts[Int64(Activity(kind, place).value)] = text
            }
        }
        self.texts = texts
    }

    /// Of a plausible value, and every one of these is an activity.
    subscript(value: Int64) -> [UInt8] { texts[value] ?? [] }

    private static func concept(_ code: String) -> [UInt8] {
        FHIRText.concept([.init(system: "urn:trackme:activity", code: code, display: nil)])
    }
}
