import Domain
import Primitives
import Security

/// The people that a group request is about (GRP-01): a conjunction of one to four parameters over public grids, none
/// negated.
struct Predicate: Hashable, Sendable {
    static let parametersMax = 4
    static let ageMax = 120

    /// Whole years, counted from the year of birth.
    var age: ClosedRange<Int>?
    var sex: Sex?
    var residence: PlaceArea?
    var birthplace: PlaceArea?
    var occupation: Occupation?

    var parameterCount: Int {
        [age != nil, sex != nil, residence != nil, birthplace != nil, occupation != nil].count { $0 }
    }

    /// The same text for the same predicate, however it was written.
    var canonical: String {
        var parts: [String] = []
        if let age { parts.append("age=\(age.lowerBound)-\(age.upperBound)") }
        if let birthplace { parts.append("birthplace=\(birthplace.canonical)") }
        if let occupation { parts.append("occupation=\(occupation.rawValue)") }
        if let residence { parts.append("residence=\(residence.canonical)") }
        if let sex { parts.append("sex=\(sex.rawValue)") }
        return parts.joined(separator: "&")
    }
}

/// A municipality, province, region or foreign state. Provinces and regions are all their municipalities, those that are no more
/// among them, since people were born in these.
enum PlaceArea: Hashable, Sendable {
    case region(Region)
    case province(Province)
    /// Also a foreign state.
    case place(BelfioreCode)

    /// The same for areas of the same places, so that one group has one answer, and another when a name comes to mean other
    /// places, so that no answer is about two groups.
    var canonical: String { Self.known[self] ?? Self.canonical(places) }

    /// Of all regions and provinces: each of a question's cells names its areas, and a region is a thousand municipalities.
    private static let known = Dictionary(
        uniqueKeysWithValues: (Region.allCases.map(PlaceArea.region) + Province.all.map(PlaceArea.province)).map {
            ($0, canonical($0.places))
        })

    static func canonical(_ places: [BelfioreCode]) -> String {
        let codes = Set(places.map(\.description)).sorted()
        if codes.count == 1 { return "place:\(codes[0])" }
        let hash = Digest.sha256(Array(codes.joined(separator: ",").utf8)).prefix(16)
        return "places:\(codes.count):\(Base64.url.encode(Array(hash)))"
    }

    var places: [BelfioreCode] {
        switch self {
        case .region(let region): PlaceTable.standard.codes(in: region)
        case .province(let province): PlaceTable.standard.codes(in: province)
        case .place(let code): [code]
        }
    }
}
