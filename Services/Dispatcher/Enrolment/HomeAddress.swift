import Domain
import HTTP
import Primitives

/// Where a person lives (SOS-01e): what an ambulance service is told beside the position, and instead of it where there is none.
struct HomeAddress: Sendable, Equatable, Codable {
    // All texts together fit into a message to an ambulance service (`IncidentMessage.bytesMax`).
    static let lineLimits = TextLimits(charactersMax: 120, bytesMax: 240)
    static let cityLimits = TextLimits(charactersMax: 80, bytesMax: 160)
    static let shortLimits = TextLimits(charactersMax: 20, bytesMax: 40)
    static let country = "IT"

    /// With the number of the house.
    var street: String
    var postalCode: String
    var city: String
    /// As it is abbreviated: "MI".
    var province: String?
    var floor: String?
    /// ISO 3166-1, two letters.
    var country: String

    init(street: String, postalCode: String, city: String, province: String?, floor: String?, country: String) {
        (self.street, self.postalCode, self.city) = (street, postalCode, city)
        (self.province, self.floor, self.country) = (province, floor, country)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        street = try container.decode(String.self, forKey: .street)
        postalCode = try container.decode(String.self, forKey: .postalCode)
        city = try container.decode(String.self, forKey: .city)
        province = try container.decodeIfPresent(String.self, forKey: .province)
        floor = try container.decodeIfPresent(String.self, forKey: .floor)
        country = try container.decodeIfPresent(String.self, forKey: .country) ?? Self.country
    }

    /// What is wrong with it, each with the place below `pointer`.
    func faults(below pointer: String) -> [Problem.FieldError] {
        let texts: [(name: String, text: String?, limits: TextLimits)] = [
            ("street", street, Self.lineLimits), ("city", city, Self.cityLimits), ("floor", floor, Self.shortLimits),
        ]
        var faults = texts.compactMap { name, text, limits -> Problem.FieldError? in
            text.flatMap { limits.fault(in: $0) }.map { .init(pointer: "\(pointer)/\(name)", detail: $0.description) }
        }
        func check(_ name: String, _ isFitting: Bool, _ detail: String) {
            if !isFitting { faults.append(.init(pointer: "\(pointer)/\(name)", detail: detail)) }
        }
        let isItalian = country == Self.country
        check("country", Self.isCode(country, 2...2), "the country's two capital letters, as IT (ISO 3166-1)")
        check(
            "postal_code",
            isItalian
                ? postalCode.utf8.count == 5
                    && postalCode.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                : Self.shortLimits.fault(in: postalCode) == nil,
            isItalian ? "the five digits of the CAP" : "at most 20 characters")
        if let province {
            check("province", Self.isCode(province, 2...3), "the two capital letters of the province, as MI")
        }
        return faults
    }

    private static func isCode(_ text: String, _ count: ClosedRange<Int>) -> Bool {
        count.contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
