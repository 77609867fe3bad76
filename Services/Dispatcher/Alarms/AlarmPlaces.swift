import Domain
import Service

/// Where the operator is told of alarms (`settings.alarms`); hooks of kinds `alarm` and `escalation` stand in `message_hooks_file`.
struct AlarmSettings: Decodable, Sendable {
    static let addressesMax = 10
    static let secondsRange = 30...86_400

    /// Told of each alarm.
    let mail: [EmailAddress]?
    /// Told, too, when nobody acknowledges it.
    let escalationMail: [EmailAddress]?
    let language: Language?
    /// Seconds until an alarm is told again.
    let repeatS: Int?
    /// Seconds without an acknowledgement until the second address is told.
    let escalateAfterS: Int?

    init(
        mail: [EmailAddress]? = nil, escalationMail: [EmailAddress]? = nil, language: Language? = nil,
        repeatS: Int? = nil, escalateAfterS: Int? = nil
    ) {
        self.mail = mail
        self.escalationMail = escalationMail
        self.language = language
        self.repeatS = repeatS
        self.escalateAfterS = escalateAfterS
    }

    func check() throws(ConfigurationError) {
        guard (mail ?? []).count + (escalationMail ?? []).count <= Self.addressesMax else {
            throw ConfigurationError("alarms names more than \(Self.addressesMax) addresses.")
        }
        for (name, value) in [("repeat_s", repeatS), ("escalate_after_s", escalateAfterS)] {
            guard value.map(Self.secondsRange.contains) ?? true else {
                throw ConfigurationError(
                    "alarms.\(name) has to be from \(Self.secondsRange.lowerBound) to \(Self.secondsRange.upperBound).")
            }
        }
    }

    var times: AlarmTimes {
        var times = AlarmTimes()
        if let repeatS { times.again = .seconds(Int64(repeatS)) }
        if let escalateAfterS { times.escalation = .seconds(Int64(escalateAfterS)) }
        return times
    }
}

/// Where alarms are told.
struct AlarmPlaces: Sendable {
    enum Place: Sendable, Equatable {
        case hook(String)
        case mail(EmailAddress)

        /// As in `operator_message.place`.
        var name: String {
            switch self {
            case .hook(let name): "hook:\(name)"
            case .mail(let address): "mail:\(address.normalized)"
            }
        }
    }

    let hooks: MessageHooks
    let settings: AlarmSettings

    func all(isEscalated: Bool) -> [Place] {
        var places = hooks.all(.alarm).map { Place.hook($0.name) } + (settings.mail ?? []).map(Place.mail)
        if isEscalated {
            places +=
                hooks.all(.escalation).map { Place.hook($0.name) } + (settings.escalationMail ?? []).map(Place.mail)
        }
        return places
    }

    /// `nil` for a place that the configuration no longer names.
    subscript(name: String) -> Place? { all(isEscalated: true).first { $0.name == name } }
}
