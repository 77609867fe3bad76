import Primitives

/// Something that needs the operator. Nothing personal is in it: kinds, names of hooks, numbers of incidents.
struct OperatorAlarm: Sendable, Equatable {
    enum Kind: String, Sendable, Codable, CaseIterable {
        // Of one incident (`Incident.Alarm`).
        case noHooks = "no-hooks"
        case noReceipt = "no-receipt"
        case noAcceptance = "no-acceptance"
        case rejected
        case exhausted
        case updateNotReceived = "update-not-received"
        /// A critical state was read too late to call anybody.
        case lateAlarm = "late-alarm"
        /// An incident that this version cannot read, and not hand over.
        case unreadableIncident = "unreadable-incident"
        /// This process delivers as many incidents as it can.
        case overloaded
        /// People whose keys are not at hand are not watched.
        case unwatched
        /// Many people fell silent together.
        case silence
        /// Many incidents in one area within a minute.
        case massEvent = "mass-event"
        /// The synthetic incident did not reach its receiver (`DeadManSwitch`).
        case deadMan = "dead-man"
        /// A hook that does not answer to probes: rung, and ended, by who probes hooks; the subject is its name.
        case hookDead = "hook-dead"
        /// By an operator, to try the way here.
        case test

        /// Over when the incident is accepted or closed.
        static let ofIncidents: [Kind] = [
            .noHooks, .noReceipt, .noAcceptance, .rejected, .exhausted, .updateNotReceived,
        ]
        /// Over when they were not rung for `AlarmTimes.quiet`.
        static let endingQuietly: [Kind] = [.overloaded, .unwatched, .silence, .deadMan]
        /// What has happened and does not end: over when it is acknowledged.
        static let ofMoments: [Kind] = [.lateAlarm, .unreadableIncident, .test]
    }

    struct Key: Hashable, Sendable {
        let kind: Kind
        /// What it is about: there is one alarm that is not over for each kind and subject.
        let subject: String
    }

    let key: Key
    var incident: UUID?
    var detail: String
    /// How often it was rung since it was written down.
    var occurrences = 1

    init(_ kind: Kind, about subject: String = "", incident: UUID? = nil, detail: String = "") {
        key = Key(kind: kind, subject: subject)
        self.incident = incident
        self.detail = detail
    }

    /// One of an incident (SOS-13b).
    init(_ alarm: Incident.Alarm, of incident: UUID, hook: String?) {
        self.init(
            Kind(rawValue: alarm.rawValue) ?? .exhausted, about: incident.description, incident: incident,
            detail: hook ?? "")
    }
}

/// Times and limits of operators' alarms. Tests use shorter ones.
struct AlarmTimes: Sendable {
    /// Alarms that come within this time after one was told are told together.
    var gather = Duration.seconds(10)
    /// An alarm is told again after this time, until somebody acknowledges it or it is over.
    var again = Duration.seconds(300)
    /// Nobody has acknowledged it for so long: the second address is told, too.
    var escalation = Duration.seconds(900)
    /// What comes again so long after its acknowledgement is told anew.
    var reopening = Duration.seconds(600)
    /// See `OperatorAlarm.Kind.endingQuietly`.
    var quiet = Duration.seconds(600)
    /// Of one attempt to tell.
    var attempt = Duration.seconds(5)
    /// Pauses after failures; the last one is used from then on.
    var pauses: [Duration] = [2, 5, 10, 30, 60].map { .seconds($0) }
    /// For so long a process alone sends a message.
    var claim = Duration.seconds(20)
    var round = Duration.seconds(1)
    /// How long an alarm waits to be written down before it is told without the database.
    var write = Duration.seconds(1)

    // MARK: Mass events

    /// Incidents opened within this time …
    var massWindow = Duration.seconds(60)
    /// … and this distance in metres …
    var massRadius = 20_000.0
    /// … are a mass event from so many on.
    var massMin = 10
}
