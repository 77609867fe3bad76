/// When what is tried in a hand-over (SOS-07, SOS-13; ARCHITECTURE, AutomatedSOS). Tests use shorter ones.
struct HandOverTimes: Sendable {
    /// When attempts begin, counted from the first.
    var attempts: [Duration] = [
        .zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// Between attempts after those, give or take a tenth.
    var attemptInterval = Duration.seconds(15)
    /// For one attempt; the next does not wait for it.
    var attemptMax = Duration.seconds(3)
    /// Without a receipt the next hook is begun.
    var receiptMax = Duration.seconds(15)
    /// Without an acceptance the next hook is begun.
    var acceptanceMax = Duration.seconds(90)
    /// Cancellations, and messages that it is over, are tried for so long.
    var cancellationMax = Duration.seconds(3600)
    /// How long the first call waits for the person's name.
    var personMax = Duration.milliseconds(150)
    /// Between attempts to learn the person's name.
    var personPause = Duration.seconds(2)
    /// By PostgreSQL's clock.
    var lease = Duration.milliseconds(1500)
    /// How long this process leaves an incident to others that it cannot read.
    var unreadablePause = Duration.seconds(60)
    /// What a courier still has to write when its work is over is tried for so long.
    var finishMax = Duration.seconds(600)
    /// How often leases are renewed and those that ran out are taken over.
    var leaseRound = Duration.milliseconds(400)

    // MARK: Ends

    /// An accepted incident ends by itself after this when the ambulance service does not say that it is over.
    var acceptedMax = Duration.seconds(4 * 3600)
    /// A test call that nobody receives ends after this.
    var exerciseMax = Duration.seconds(1800)
    /// A new emergency is not news of an incident that nobody has accepted for so long.
    var unansweredMax = Duration.seconds(1800)
    /// An incident that all have received or rejected and nobody has accepted is closed so long after its last emergency.
    var forgottenMax = Duration.seconds(86_400)
    /// An emergency after so long without anything critical is a new one, also while the one before is accepted.
    var calmMin = Monitor.calmMin

    // MARK: Updates

    /// Who has the incident is told when the person has moved so far, in metres …
    var movedMin = 100.0
    /// … and the last message is so old.
    var movedPause = Duration.seconds(30)
    /// The service that comes is told of new vital signs so often.
    var vitalsPause = Duration.seconds(60)
}
