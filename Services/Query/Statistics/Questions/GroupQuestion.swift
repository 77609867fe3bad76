import Domain
import HTTP
import Primitives

/// A checked group request: data types by day, over the people of a predicate.
struct GroupQuestion: Sendable {
    static let daysMax = 92
    static let typesMax = 5

    let types: [DataType]
    let from: CalendarDate
    /// The last day.
    let through: CalendarDate
    let predicate: Predicate

    var days: [CalendarDate] {
        (from.daysSinceEpoch...through.daysSinceEpoch).map { CalendarDate(daysSinceEpoch: $0) }
    }

    /// Errors: 422 with the reason.
    init(_ body: GroupQuestionBody) throws(Problem) {
        guard body.bucket == "day" else { throw Self.refusal("bucket", "only day is available") }
        let types = Set(body.dataTypes)
        guard !types.isEmpty, types.count <= Self.typesMax, types.count == body.dataTypes.count else {
            throw Self.refusal("data_types", "name 1 to \(Self.typesMax) data types, each once")
        }
        for type in types where type.groupBounds == nil {
            throw Self.refusal("data_types", "there are no group statistics of \(type.name)")
        }
        let dayCount = Int(body.to.daysSinceEpoch) - Int(body.from.daysSinceEpoch) + 1
        guard (1...Self.daysMax).contains(dayCount) else {
            throw Self.refusal("to", "a period has 1 to \(Self.daysMax) days, the last one included")
        }
        self.types = types.sorted { $0.rawValue < $1.rawValue }
        from = body.from
        through = body.to
        predicate = try Self.predicate(body.predicate)
    }

    private static func predicate(_ body: GroupQuestionBody.Where) throws(Problem) -> Predicate {
        var predicate = Predicate()
        if let age = body.age {
            let (least, most) = (age.min ?? 0, age.max ?? Predicate.ageMax)
            guard age.min != nil || age.max != nil, least >= 0, least <= most, most <= Predicate.ageMax else {
                throw refusal("where/age", "ages are whole years from 0 to \(Predicate.ageMax), min not above max")
            }
            predicate.age = least...most
        }
        predicate.sex = body.sex
        predicate.occupation = body.occupation
        predicate.residence = try area(body.residence, "where/residence")
        predicate.birthplace = try area(body.birthplace, "where/birthplace")
        guard (1...Predicate.parametersMax).contains(predicate.parameterCount) else {
            throw refusal("where", "give 1 to \(Predicate.parametersMax) search parameters")
        }
        // All ages add nothing to another condition.
        if predicate.age == 0...Predicate.ageMax, predicate.parameterCount > 1 { predicate.age = nil }
        return predicate
    }

    private static func area(_ body: GroupQuestionBody.Place?, _ name: String) throws(Problem) -> PlaceArea? {
        guard let body else { return nil }
        switch (body.region, body.province, body.municipality, body.state) {
        case (let text?, nil, nil, nil):
            guard let region = Region(name: text) else { throw refusal("\(name)/region", "no region has this name") }
            return .region(region)
        case (nil, let text?, nil, nil):
            guard let province = Province(abbreviation: text) else {
                throw refusal("\(name)/province", "no province has this abbreviation")
            }
            return .province(province)
        case (nil, nil, let code?, nil) where !code.isForeignState: return .place(code)
        case (nil, nil, nil, let code?) where code.isForeignState: return .place(code)
        default: throw refusal(name, "name exactly one region, province, municipality or foreign state")
        }
    }

    private static func refusal(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: "invalid-question", detail: detail,
            errors: [.init(pointer: "/\(pointer)", detail: detail)])
    }
}

/// A group request as it is sent.
public struct GroupQuestionBody: Codable, Sendable {
    struct Age: Codable, Sendable {
        var min: Int?
        var max: Int?
    }

    struct Place: Codable, Sendable {
        var region: String?
        var province: String?
        var municipality: BelfioreCode?
        var state: BelfioreCode?
    }

    struct Where: Codable, Sendable {
        var age: Age?
        var sex: Sex?
        var residence: Place?
        var birthplace: Place?
        var occupation: Occupation?
    }

    var dataTypes: [DataType]
    var bucket: String
    var from: CalendarDate
    var to: CalendarDate
    var predicate: Where

    enum CodingKeys: String, CodingKey {
        case bucket, from, to, dataTypes
        case predicate = "where"
    }
}
