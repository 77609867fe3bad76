import Contracts
import Domain
import JSON
import Primitives
import Security

/// What accounts has told of a person, as `person.details` keeps it: sealed with the person's key.
extension Accounts.PersonDetails {
    func sealed(with key: SubjectKey, of account: UUID) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(self), at: SealedLocation.details(of: account))
    }

    /// Errors: `SecurityError`, `JSONError`.
    init(opening sealed: [UInt8], with key: SubjectKey, of account: UUID) throws {
        self = try JSONDecoder().decode(Self.self, from: try key.open(sealed, at: SealedLocation.details(of: account)))
    }

    private static let zones = TimeZones()

    /// A zone that this machine's data lack (accounts checks only the form) is taken for the usual one.
    var zoneRules: TimeZoneRules {
        get throws {
            do { return try Self.zones.rules(of: zone) } catch { return try Self.zones.rules(of: .rome) }
        }
    }

    /// What the person prefers of a data type, the best first; empty: the usual order.
    func preferred(_ type: DataType) -> [PreferredSource] {
        preferredSources.first { $0.dataType == type }?.sources ?? []
    }
}
