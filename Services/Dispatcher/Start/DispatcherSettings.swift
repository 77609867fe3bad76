import Feed
import Service

/// What only this service's configuration has.
struct DispatcherSettings: Decodable, Sendable {
    static let hoursDefault = 4
    static let hoursRange = 1...168
    static let journalDirectoryDefault = "/var/lib/trackme/journal"
    static let ageRange = 0...120

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
    /// Where incidents rest while the database is away: a directory of this process alone, on a disk of this machine;
    /// `journalDirectoryDefault` when it is absent.
    let journalDirectory: String?
    /// The youngest who may enrol, in years, as the fiscal code tells (SOS-01d); everybody when it is absent. Who is enrolled already
    /// stays so.
    let enrolmentAgeMin: Int?
    /// Names who sends text messages and calls for us, and where the operator is told of alarms; see `MessageHooksFile`. Without it
    /// contacts get e-mail only.
    let messageHooksFile: String?
    /// Where else the operator is told of alarms.
    let alarms: AlarmSettings?
    /// Seconds between synthetic incidents (`DeadManSwitch`), `deadManDefault` when it is absent; 0: none.
    let deadManS: Int?

    /// What AutomatedSOS costs; nothing when it is absent (PAY-01).
    let payments: SubscriptionSettings?

    static let deadManDefault = 300
    /// Less than `AlarmTimes.quiet`: while it fails, the alarm is rung again before it counts as over.
    static let deadManRange = 30...480

    init(
        keystore: DatabaseSettings, hooksFile: String, acceptedIncidentHoursMax: Int? = nil, liveParts: Int? = nil,
        journalDirectory: String? = nil, enrolmentAgeMin: Int? = nil, messageHooksFile: String? = nil,
        alarms: AlarmSettings? = nil, deadManS: Int? = nil, payments: SubscriptionSettings? = nil
    ) {
        self.payments = payments
        self.enrolmentAgeMin = enrolmentAgeMin
        self.messageHooksFile = messageHooksFile
        self.alarms = alarms
        self.deadManS = deadManS
        self.keystore = keystore
        self.hooksFile = hooksFile
        self.journalDirectory = journalDirectory
        self.liveParts = liveParts
        self.acceptedIncidentHoursMax = acceptedIncidentHoursMax
    }

    func check() throws(ConfigurationError) {
        try alarms?.check()
        if let deadManS, deadManS != 0, !Self.deadManRange.contains(deadManS) {
            throw ConfigurationError(
                "dead_man_s has to be 0, or from \(Self.deadManRange.lowerBound) to \(Self.deadManRange.upperBound).")
        }
        if let liveParts, !(1...FeedParts.countMax).contains(liveParts) {
            throw ConfigurationError("live_parts has to be from 1 to \(FeedParts.countMax).")
        }
        if let enrolmentAgeMin, !Self.ageRange.contains(enrolmentAgeMin) {
            throw ConfigurationError(
                "enrolment_age_min has to be from \(Self.ageRange.lowerBound) to \(Self.ageRange.upperBound).")
        }
        guard let hours = acceptedIncidentHoursMax, !Self.hoursRange.contains(hours) else { return }
        throw ConfigurationError(
            "accepted_incident_hours_max has to be from \(Self.hoursRange.lowerBound) to \(Self.hoursRange.upperBound)."
        )
    }

    var journalPath: String { journalDirectory ?? Self.journalDirectoryDefault }
    /// `nil`: no synthetic incidents.
    var deadManInterval: Duration? {
        let seconds = deadManS ?? Self.deadManDefault
        return seconds == 0 ? nil : .seconds(Int64(seconds))
    }

    var times: HandOverTimes {
        var times = HandOverTimes()
        times.acceptedMax = .seconds(3600 * Int64(acceptedIncidentHoursMax ?? Self.hoursDefault))
        return times
    }
}
