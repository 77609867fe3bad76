/// Intervals and time limits of hand-overs (SOS-07, SOS-13; ARCHITECTURE, AutomatedSOS). Tests use shorter ones.
struct HandOverTimes: Sendable {
    /// When attempts begin, counted from the first.
    var attempts: [Duration] = [
        .zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Interval of later attempts, give or take a tenth.
    var attemptInterval = Duration.seconds(15)
    /// Time limit of one attempt; the next one does not wait for it.
    var attemptMax = Duration.seconds(3)
    /// Time without a receipt after which the next hook is called.
    var receiptMax = Duration.seconds(15)
    /// Time without an acceptance after which the next hook is called.
    var acceptanceMax = Duration.seconds(90)
    /// When all hooks have the incident and none has accepted it, those that have not rejected it are reminded so often …
    var reminder = Duration.seconds(120)
    /// … and later, when a new emergency of the person would be another incident, so often.
    var lateReminder = Duration.seconds(900)
    /// How long cancellations and messages that the emergency is over are tried.
    var cancellationMax = Duration.seconds(3600)
    /// How long the first call waits for the person's name.
    var personMax = Duration.milliseconds(150)
    /// Between attempts to learn the person's name.
    var personPause = Duration.seconds(2)
    /// By PostgreSQL's clock.
    var lease = Duration.milliseconds(1500)
    /// How long this process leaves an incident that it cannot read to others.
    var unreadablePause = Duration.seconds(60)
    /// How long a courier tries to write its remaining events when its work is over.
    var finishMax = Duration.seconds(600)
    /// How often leases are renewed and those that ran out are taken over.
    var leaseRound = Duration.milliseconds(400)
    /// How often hooks are probed, and when one is dead.
    var probes = HookHealth.Times()

    // MARK: Ends

    /// An accepted incident expires after this when the ambulance service does not say that it is over.
    var acceptedMax = Duration.seconds(4 * 3600)
    /// A test call that nobody receives ends after this.
    var exerciseMax = Duration.seconds(1800)
    /// An incident that nobody has accepted for this long is replaced by a new emergency instead of being updated.
    var unansweredMax = Duration.seconds(1800)
    /// An incident that all hooks have received or rejected and none has accepted is closed this long after its last
    /// emergency.
    var forgottenMax = Duration.seconds(86_400)
    /// An emergency this long after the last critical state is a new incident, even while the earlier one is accepted.
    var calmMin = Monitor.calmMin

    // MARK: Updates

    /// Services that have the incident get an update when the person has moved this far, in metres …
    var movedMin = 100.0
    /// … and the last message is this old.
    var movedPause = Duration.seconds(30)
    /// Least time between updates about vital signs to the service that accepted.
    var vitalsPause = Duration.seconds(60)
}
