import Feed
import Service

/// What only this service's configuration has.
struct DispatcherSettings: Decodable, Sendable {
    static let hoursDefault = 4
    static let hoursRange = 1...168

    /// The keys of people and incidents. Alarms go on without it.
    let keystore: DatabaseSettings
    /// Names the ambulance services; see `HooksFile`.
    let hooksFile: String
    /// An accepted incident ends by itself after so many hours when the ambulance service does not say that it is over;
    /// `hoursDefault` when it is absent.
    let acceptedIncidentHoursMax: Int?
    /// Into how many parts `ingestion.live` is divided, which the replicas share, from the first start on;
    /// `Ingestion.livePartsDefault` when it is absent.
    let liveParts: Int?

    init(keystore: DatabaseSettings, hooksFile: String, acceptedIncidentHoursMax: Int? = nil, liveParts: Int? = nil) {
        self.keystore = keystore
        self.hooksFile = hooksFile
        self.liveParts = liveParts
        self.acceptedIncidentHoursMax = acceptedIncidentHoursMax
    }

    func check() throws(ConfigurationError) {
        if let liveParts, !(1...FeedParts.countMax).contains(liveParts) {
            throw ConfigurationError("live_parts has to be from 1 to \(FeedParts.countMax).")
        }
        guard let hours = acceptedIncidentHoursMax, !Self.hoursRange.contains(hours) else { return }
        throw ConfigurationError(
            "accepted_incident_hours_max has to be from \(Self.hoursRange.lowerBound) to \(Self.hoursRange.upperBound)."
        )
    }

    var times: HandOverTimes {
        var times = HandOverTimes()
        times.acceptedMax = .seconds(3600 * Int64(acceptedIncidentHoursMax ?? Self.hoursDefault))
        return times
    }
}
