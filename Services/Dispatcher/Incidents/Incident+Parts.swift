import Domain
import Primitives

extension Incident {
    enum Stage: String, Sendable, Codable {
        /// No ambulance service has accepted it.
        case unaccepted
        /// One is on its way.
        case accepted
        case closed
    }

    /// Whether it is known who the person is.
    enum Identity: String, Sendable, Codable {
        case sought, known
        /// The accounts service does not know the person.
        case unknown
    }

    /// A message of an incident without the person's data, which come from the details when it is sent.
    struct Message: Sendable, Equatable, Codable {
        enum Kind: String, Sendable, Codable {
            /// The state of the emergency: an alert or an update.
            case report
            /// The service that gets it need not come.
            case cancel
            /// For the service that came: the emergency is over.
            case resolved
        }

        /// Why a message says that somebody need not come, or that it is over.
        enum Reason: String, Sendable, Codable {
            case falseAlarm = "false-alarm"
            case acceptedByAnother = "accepted-by-another"
            /// Nobody accepted it for a day.
            case unanswered
            /// A newer incident of the person has taken its place.
            case superseded
            /// The service that came said so.
            case byService = "by-service"
            /// The service that came has not said so for a long time.
            case timeOver = "time-over"
        }

        /// Hooks recognise a repeat by it, and the newest message. The first is 1; each later one is the time at which it was made, in
        /// milliseconds since 1970 by the database's clock, or one more than the one before if that is higher. So the sides of a
        /// partition give different messages different numbers, and as far as their clocks agree the later one the higher,
        /// though none knows of the other.
        var number: Int
        var kind: Kind
        var reason: Reason?
        /// The incident that has taken its place.
        var successor: UUID?
        var madeAt: IncidentAge
    }

    /// The hand-over to one ambulance service.
    struct HandOver: Sendable, Equatable, Codable {
        var hook: String
        var begunAt: IncidentAge
        /// The first message for it, and when it was made.
        var firstNumber: Int
        var firstMadeAt: IncidentAge?
        /// The newest message meant for it; `nil` when there is none.
        var dueNumber: Int?
        var receivedAt: IncidentAge?
        /// The newest message that it has received; 0 before the first.
        var receivedNumber = 0
        /// When that one was made; `nil` when it is not known.
        var receivedMadeAt: IncidentAge?
        /// When somebody there had it before them, as the service says.
        var seenAt: IncidentAge?
        var rejectedAt: IncidentAge?
        /// The newest time of its call backs that counted, by its own clock.
        var decidedAt: Timestamp?
        /// The ids of its last rejections that counted.
        var rejections: [String] = []
        /// The id of its last acceptance that counted.
        var acceptance: String?
        /// Its last acceptances that did not, since another has the incident; `nil`: none.
        var refusals: [Refusal]?
        /// It had accepted and then rejected. An acceptance that comes after that is most likely an old one, sent again.
        var hasHandedBack = false
        /// The id of such an acceptance, from before it was called anew.
        var handedBack: String?
        /// When it accepted, where another's acceptance, which was earlier, stands; and the id of that.
        var gaveWayAt: IncidentAge?
        var gaveWayCall: String?
        /// When it was told last, apart from here, that it is over, where that ended nothing here: what it said before may not hold.
        var overAt: IncidentAge?
        /// When it said last that it comes, also where that was written later; `nil` before, and in incidents from before it was kept.
        var affirmedAt: IncidentAge?
        /// It was told, or is to be told, that it need not come.
        var isWithdrawn = false
        /// It may believe that it comes: it is called anew only once it has received its cancellation (`toldNotToCome`); `nil`: no.
        var isInDoubt: Bool?
        /// A cancellation that it did not receive for too long.
        var givenUpNumber: Int?
        /// Failed calls that are in the history.
        var failures = 0

        /// It has given way and has not heard of it.
        var mayStillCome: Bool { mayComeSince != nil }
        /// When it accepted, as long as that holds.
        var mayComeSince: IncidentAge? { isWithdrawn && receivedNumber < dueNumber ?? 0 ? gaveWayAt : nil }

        /// Of the messages for it, received or not.
        var newestNumber: Int { max(receivedNumber, dueNumber ?? 0) }

        var isOutstanding: Bool {
            guard let dueNumber else { return false }
            return receivedNumber < dueNumber && givenUpNumber != dueNumber
        }

        /// It is called, with this message; anew, after it was told that it need not come, or has rejected it (`before`).
        init(to hook: String, with message: Message, at age: IncidentAge, after before: HandOver? = nil) {
            self.hook = hook
            begunAt = age
            (firstNumber, firstMadeAt, dueNumber) = (message.number, message.madeAt, message.number)
            guard let before else { return }
            (receivedNumber, receivedMadeAt) = (before.receivedNumber, before.receivedMadeAt)
            (seenAt, decidedAt, rejections) = (before.seenAt, before.decidedAt, before.rejections)
            (acceptance, refusals, overAt) = (before.acceptance, before.refusals, before.overAt)
            handedBack = before.hasHandedBack ? before.acceptance : before.handedBack
        }
    }

    /// A time without an event. Longer than accepted incidents last there is none, unless a clock was set, or no process was there.
    struct Silence: Sendable, Equatable, Codable {
        static let lengthMin = Duration.seconds(1800)

        let from: IncidentAge
        let to: IncidentAge

        /// `nil` when it is shorter than `lengthMin`.
        init?(from: IncidentAge, to: IncidentAge) {
            guard to - from >= Self.lengthMin else { return nil }
            (self.from, self.to) = (from, to)
        }

        var length: Duration { to - from }
    }

    /// A call back of an ambulance service: what tells a repeat, and an old one that comes late, from a new decision.
    struct CallBack: Sendable, Equatable, Codable {
        /// The same when it is sent again.
        var id: String
        /// By the service's clock: when it was decided, or signed where it does not say when it was decided.
        var sentAt: Timestamp
        /// Which of our attempts to apply it, each of which is answered at most once: by the database, or apart from it.
        var attempt: UUID?
    }

    /// Why the operator is called.
    enum Alarm: String, Sendable, Equatable, Codable {
        case noHooks = "no-hooks"
        case noReceipt = "no-receipt"
        case noAcceptance = "no-acceptance"
        case rejected
        /// All hooks were called, and none has accepted.
        case exhausted
        /// The service that accepted does not receive a new emergency of the same incident.
        case updateNotReceived = "update-not-received"
    }

    /// What the wearer is told beside the state of the incident.
    enum WearerNotice: Sendable, Equatable {
        case accepted(by: String)
        case handedBack(by: String)
        case resolved(by: String)
    }

    /// The result of applying an event.
    struct Transition: Sendable, Equatable {
        struct Entry: Sendable, Equatable {
            var kind: IncidentStep.Kind
            var hook: String?
            var detail: String?
        }

        var verdict = IncidentVerdict.done
        /// For the history (SOS-14).
        var entries: [Entry] = []
        var notices: [WearerNotice] = []

        mutating func add(_ kind: IncidentStep.Kind, hook: String? = nil, detail: String? = nil) {
            entries.append(Entry(kind: kind, hook: hook, detail: detail))
        }

        /// A service comes that was not known to, or another one than was known.
        mutating func accepted(by hook: String, _ detail: String) {
            add(.accepted, hook: hook, detail: detail)
            notices.append(.accepted(by: hook))
        }

        mutating func rejected(by hook: String, _ reason: RejectionReason?, afterAcceptance: Bool) {
            let words = [afterAcceptance ? "after-acceptance" : nil, reason?.rawValue].compactMap(\.self)
            add(.rejected, hook: hook, detail: words.isEmpty ? nil : words.joined(separator: " "))
        }
    }
}

extension Incident {
    /// Emergencies, and severe parts, that are known by their ids beside its own.
    static let emergenciesMax = 32
    /// An emergency that is open is told of further presses of the SOS button at most so often.
    static let pressPause = Duration.seconds(30)
    /// What is pressed within this is one press.
    static let pressLength = Duration.seconds(1)
    /// Failed calls in the history, per hook.
    static let failuresRecordedMax = 32
    /// Acceptances of one service that are refused while the database is away: more are not answered.
    static let refusalsMax = 32
    /// Rejections of one service whose ids are known.
    static let rejectionsMax = 8

    var report: Message { message(reportNumber) ?? messages[messages.count - 1] }

    /// The highest number that a message has had.
    var lastNumber: Int { max(messages.last?.number ?? 0, numbersUsed ?? 0) }

    /// What is due that was not due before, by hook.
    func numbersDue(beyond before: Incident) -> [String: Int] {
        handOvers.reduce(into: [:]) { due, known in
            guard let number = known.dueNumber, number != before.handOver(to: known.hook)?.dueNumber else { return }
            due[known.hook] = number
        }
    }

    /// Whether somebody passes over what is due there, having been told this before: numbers of messages, by hook.
    func isPassedOver(by told: [String: Int]) -> Bool {
        handOvers.contains { known in
            guard let due = known.dueNumber, let number = told[known.hook] else { return false }
            return due < number
        }
    }

    /// The verdict on what was written late, where that says enough: an end that was told before the last emergency was found ends
    /// nothing, and an emergency that is known is no other one.
    func verdictBefore(_ event: IncidentEvent, at time: IncidentAge) -> IncidentVerdict? {
        switch event {
        case _ where event.saysOver:
            stage != .closed && lastCalledFor.map { time < $0 } ?? false ? .outdated : nil
        case .emergency(_, _?, _): event.emergencyIDs.allSatisfy(knows) ? .repeated : nil
        // Also when the service has accepted since: it is no decision to hand the incident back.
        case .rejected(let hook, let call?, _):
            handOver(to: hook)?.rejections.contains(call.id) == true ? .repeated : nil
        case .accepted(let hook, let call?), .acceptedApart(let hook, let call?, _):
            handOver(to: hook)?.handedBack == call.id ? .handedBack : nil
        default: nil
        }
    }

    /// When somebody was last found in need of help, or asked for it, after it was opened by that; also where that was told before it was
    /// opened here.
    private var lastCalledFor: IncidentAge? { [foundAt, pressedAgainAt].compactMap(\.self).max() }

    /// When the button was pressed beside the press that has opened it.
    private var pressedAgainAt: IncidentAge? { pressedAt == .zero ? nil : pressedAt }

    /// `foundAt` and `pressedAt` after this event.
    func found(
        after event: IncidentEvent, _ verdict: IncidentVerdict, at time: IncidentAge
    ) -> (found: IncidentAge?, pressed: IncidentAge?) {
        switch (event, verdict) {
        case (.calledByHand, .done): return (foundAt, max(pressedAgainAt ?? time, time).notZero)
        case (.emergency, .done): return (foundAt.map { max($0, time) } ?? time, pressedAt)
        case (.emergency, .repeated):
            let isLast = emergencies?.last.map(event.emergencyIDs.contains) ?? false
            // It was found when it was found first.
            return (isLast ? foundAt.map { min($0, time) } : foundAt, pressedAt)
        default: return (foundAt, pressedAt)
        }
    }

    /// Whether a service says by another call what it has said before: an acceptance may have been refused elsewhere, a rejection follow an
    /// acceptance there.
    func isSaidAnew(_ event: IncidentEvent) -> Bool {
        switch event {
        case .accepted(let hook, let call?): acceptedBy == hook && handOver(to: hook)?.acceptance != call.id
        case .rejected(let hook, let call?, _): handOver(to: hook)?.rejections.contains(call.id) == false
        default: false
        }
    }

    /// Whether services are told of a press: of the first one, of further ones now and then, and where all have rejected the incident.
    func isPressNews(at age: IncidentAge) -> Bool {
        pressedAt == nil || age - emergencyAt >= Self.pressPause || isRefused
    }

    /// Whether it is the same press as the last that it was told of.
    func isPressed(justBefore age: IncidentAge) -> Bool {
        pressedAt.map { $0 > .zero && age - $0 < Self.pressLength } ?? false
    }

    /// Whether it is one that was news of this incident.
    func knows(emergency id: UUID) -> Bool { emergencies?.contains(id) ?? false }

    /// Whether it was over then.
    func isBeyondEnd(_ time: IncidentAge) -> Bool { stage == .closed && endedAt.map { $0 < time } ?? false }

    /// Whether it is to hear that it need not come before it is called anew.
    func isInDoubt(_ hook: String) -> Bool { stage == .unaccepted && handOver(to: hook)?.isInDoubt == true }

    /// When somebody said that the emergency is over; `nil` where it has ended otherwise, or not at all.
    var saidOverAt: IncidentAge? { outcome?.isSaid == true ? endedAt : nil }

    /// Of an incident that another has accepted, or that is closed.
    var reasonNotToCome: Message.Reason {
        switch outcome {
        case .falseAlarm, .suppressed: .falseAlarm
        case .unanswered: .unanswered
        case .resolved, .expired, .exercised, nil: .acceptedByAnother
        }
    }

    /// On what a service tells of its work; `nil` when it is the one that comes.
    func verdict(onWorkOf hook: String) -> IncidentVerdict? {
        if let winner = acceptedBy, winner != hook { return .acceptedByAnother }
        return stage == .accepted ? nil : stage == .closed ? .closed : .notAccepted
    }

    /// On its word that the emergency is over; `nil` when that counts.
    func verdict(onResolutionBy hook: String) -> IncidentVerdict? {
        guard stage == .closed, acceptedBy == hook else { return verdict(onWorkOf: hook) }
        return outcome == .falseAlarm ? .closed : .repeated
    }

    func index(of hook: String) -> Int? { handOvers.firstIndex { $0.hook == hook } }

    func message(_ number: Int) -> Message? { messages.first { $0.number == number } }

    func handOver(to hook: String) -> HandOver? { handOvers.first { $0.hook == hook } }
}

/// An event of an incident.
enum IncidentEvent: Sendable, Equatable, Codable {
    /// A critical state lasted again; `cause` is its data type, and `id` that of the incident that it would have been alone, `severe`
    /// that of its severe part (`Finding.severe`).
    case emergency(cause: String, id: UUID? = nil, severe: UUID? = nil)
    /// The person has moved, or has new vital signs: `position` or `vitals`.
    case seen(String)
    /// The person is known. With `isNews` the message in force went out without the name.
    case identified(isNews: Bool)
    case unidentifiable
    case handOverBegun(String)
    /// The hook has answered 2xx to the message.
    case received(String, number: Int)
    case attemptFailed(String, reason: String)
    case operatorAlarmed(Incident.Alarm, hook: String?)
    case withdrawalGivenUp(String)
    case accepted(String, Incident.CallBack? = nil)
    /// It accepted at that age, and was told so, where nothing of another acceptance was known (`LocalJournal`).
    case acceptedApart(String, Incident.CallBack? = nil, at: IncidentAge)
    /// It was told, apart from the database, that this acceptance does not count: another service has the incident, or it is over.
    case refused(String, Incident.CallBack)
    case rejected(String, Incident.CallBack? = nil, reason: Incident.RejectionReason? = nil)
    case resolved(String, Incident.CallBack? = nil)
    /// What a service tells of its work.
    case progress(String, Incident.Progress, Incident.CallBack? = nil)
    /// By the wearer.
    case calledOff
    /// By the wearer, on a device.
    case calledOffByDevice
    /// The wearer has pressed the SOS button: an emergency again, and nobody waits for a false alarm to be reported.
    case calledByHand
    /// It was opened elsewhere, too, and the wearer was told that hooks are called from this age on.
    case callsPromised(from: IncidentAge)
    /// A service was told elsewhere that it is over, where nothing was known of what was found last.
    case toldOver(String)
    /// A service that was told so has said since that it comes, as those know who have its acceptance.
    case affirmed(String)
    /// The service that has accepted was told so since, or that its acceptance does not count.
    case toldNotToCome(String, Incident.Message.Reason)
    case superseded(by: UUID, isTold: Bool)
    /// `Incident.endsAt` has come.
    case timeIsUp
    /// What two sides have done apart from each other is one again: numbers up to this one may stand for messages of the
    /// other side.
    case rejoined(numbers: Int)
}

extension IncidentEvent {
    static func emergency(_ finding: Finding, of account: UUID) -> IncidentEvent {
        .emergency(
            cause: finding.type.name, id: IncidentID.of(account, finding.origin),
            severe: finding.severeAlone.map { IncidentID.of(account, $0.origin) })
    }

    /// The ids that the emergency, and its severe part, would have alone.
    var emergencyIDs: [UUID] {
        if case .emergency(_, let id, let severe) = self { [severe, id].compactMap(\.self) } else { [] }
    }

    /// The same acceptance, in this attempt to apply it.
    func attempted(as attempt: UUID) -> IncidentEvent {
        guard case .accepted(let hook, var call?) = self else { return self }
        call.attempt = attempt
        return .accepted(hook, call)
    }

    /// Whether somebody was found in need of help, or asked for it.
    var isEmergency: Bool {
        switch self {
        case .emergency, .calledByHand: true
        default: false
        }
    }

    /// Whether the wearer says that it is a false alarm.
    var isCallOff: Bool {
        switch self {
        case .calledOff, .calledOffByDevice: true
        default: false
        }
    }

    /// Whether somebody says that the emergency is over.
    var saysOver: Bool { if case .resolved = self { true } else { isCallOff } }
}

/// Whether an event was applied, and why not.
enum IncidentVerdict: Sendable, Equatable {
    case done
    /// It had been applied before.
    case repeated
    case acceptedByAnother
    /// The service had accepted the incident and then rejected it.
    case handedBack
    /// Nobody has accepted it: there is nothing to resolve.
    case notAccepted
    /// The service has sent a newer decision, which counts.
    case outdated
    case closed
}
