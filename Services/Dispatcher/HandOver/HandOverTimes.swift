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
    /// Cancellations are tried for so long.
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
    /// An accepted incident, or a test call, without news is closed after this.
    var acknowledgedMax = Duration.seconds(1800)
    /// A new emergency is not news of an incident that nobody has accepted for so long.
    static let unansweredMax = Duration.seconds(1800)
    /// An incident that all have received or rejected and nobody has accepted is closed after this.
    var forgottenMax = Duration.seconds(86_400)
}
