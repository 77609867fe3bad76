import Domain
import HTTP
import Primitives
import Security

/// That somebody has pressed the SOS button (SOS-12a): what an ambulance service is told of it.
struct ManualCall: Sendable, Equatable, Codable {
    enum Caller: String, Sendable, Codable { case person, device }

    /// When it came, by PostgreSQL's clock.
    var at: Timestamp
    var by: Caller
}

/// What is sent when somebody presses the button.
struct ManualCallForm: Sendable, Decodable {
    /// Where the caller is now, as far as it knows.
    struct Place: Sendable, Decodable {
        static let accuracyMax = 100_000.0

        var latitude: Double
        var longitude: Double
        var accuracyM: Double?
    }

    /// Chosen by the caller, and the same when it sends again: one press is one emergency.
    var id: UUID
    var position: Place?

    /// A position that cannot be is no reason to refuse the call: it is left out.
    func fix(at now: Timestamp) -> StoredFix? {
        guard let position, let place = Coordinate(latitude: position.latitude, longitude: position.longitude) else {
            return nil
        }
        let accuracy = position.accuracyM.flatMap { (0...Place.accuracyMax).contains($0) ? $0 : nil }
        return StoredFix(PositionFix(time: now, coordinate: place, accuracy: accuracy))
    }
}

extension IncidentID {
    /// The same for the same person and press.
    static func of(_ account: UUID, call id: UUID) -> UUID { .named(id.bytes + Array("manual".utf8), in: account) }
}
