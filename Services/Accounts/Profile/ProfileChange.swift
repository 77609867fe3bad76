import Domain
import JSON

/// A partial change of the own profile: absent members stay, `null` empties an optional one (RFC 7396).
struct ProfileChange: Decodable, Sendable {
    /// A member that may be absent, `null` or a value.
    enum Member<Value: Decodable & Sendable>: Sendable {
        case absent, empty
        case value(Value)

        func apply(to target: inout Value?) {
            switch self {
            case .absent: break
            case .empty: target = nil
            case .value(let value): target = value
            }
        }
    }

    let language: Language?
    private let name: String?
    private let surname: String?
    private let residence: Member<BelfioreCode>
    private let occupation: Member<Occupation>
    private let phone: Member<PhoneNumber>
    private let zone: Member<TimeZoneName>
    private let companyName: String?
    private let legalAddress: Member<String>
    private let billingAddress: Member<String>
    private let sector: Member<String>
    private let legalRepresentative: Member<CompanyProfile.Representative>
    private let paymentMethod: Member<String>
    /// Members that are present but can never be changed (ACC-11).
    private let unchangeable: [String]

    private enum CodingKeys: String, CodingKey {
        case language, name, surname, residence, occupation, phone, zone, sector, email, companyName, legalAddress,
            billingAddress, legalRepresentative, paymentMethod, fiscalCode, vatNumber, birthDate
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value>(_ key: CodingKeys) throws -> Member<Value> {
            guard container.contains(key) else { return .absent }
            return try container.decodeIfPresent(Value.self, forKey: key).map { .value($0) } ?? .empty
        }
        language = try container.decodeIfPresent(Language.self, forKey: .language)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        surname = try container.decodeIfPresent(String.self, forKey: .surname)
        residence = try member(.residence)
        occupation = try member(.occupation)
        phone = try member(.phone)
        zone = try member(.zone)
        companyName = try container.decodeIfPresent(String.self, forKey: .companyName)
        legalAddress = try member(.legalAddress)
        billingAddress = try member(.billingAddress)
        sector = try member(.sector)
        legalRepresentative = try member(.legalRepresentative)
        paymentMethod = try member(.paymentMethod)
        unchangeable = [CodingKeys.email, .fiscalCode, .vatNumber, .birthDate].filter(container.contains)
            .map(\.stringValue)
    }

    func checkUnchangeable() throws(Refusal) {
        if let member = unchangeable.first {
            throw .invalid("/\(member)", "This never changes.", code: "unchangeable")
        }
    }

    func apply(to profile: inout PersonProfile) {
        profile.name = name ?? profile.name
        profile.surname = surname ?? profile.surname
        residence.apply(to: &profile.residence)
        occupation.apply(to: &profile.occupation)
        phone.apply(to: &profile.phone)
        zone.apply(to: &profile.zone)
    }

    func apply(to profile: inout CompanyProfile) {
        profile.companyName = companyName ?? profile.companyName
        legalAddress.apply(to: &profile.legalAddress)
        billingAddress.apply(to: &profile.billingAddress)
        sector.apply(to: &profile.sector)
        legalRepresentative.apply(to: &profile.legalRepresentative)
        paymentMethod.apply(to: &profile.paymentMethod)
    }
}
