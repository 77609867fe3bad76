/// Times and limits of what contacts are told (SOS-09). Tests use shorter ones.
struct ContactTimes: Sendable {
    // MARK: What is told when

    /// The contacts are told when an ambulance service has received the incident, and so long after the first call to one at the
    /// latest: never before it.
    var grace = Duration.seconds(2)
    /// Where there is no hook to call, so long after the incident was opened (or its abort window is over).
    var withoutHooks = Duration.seconds(5)
    /// When no ambulance service has accepted an emergency for so long, the contacts are told.
    var unanswered = Duration.seconds(180)
    /// A sensor that is lost for so long is told; most come back before.
    var sensorLost = Duration.seconds(600)
    /// A lost sensor is told once in this time.
    var sensorLostPause = Duration.seconds(6 * 3600)
    /// What could not be turned into messages for so long is dropped.
    var eventMax = Duration.seconds(86_400)

    /// After a look at incidents: many changes together are one look.
    var pause = Duration.milliseconds(100)

    // MARK: The queue

    /// Messages about an emergency are tried for so long …
    var urgentMax = Duration.seconds(1800)
    /// … and others for so long.
    var routineMax = Duration.seconds(86_400)
    /// Pauses after failures; the last one is used from then on.
    var pauses: [Duration] = [1, 2, 5, 10, 20, 30, 60].map { .seconds($0) }
    /// Of one attempt.
    var attempt = Duration.seconds(5)
    /// For so long a process alone sends a message that it has claimed; longer than an attempt with all around it.
    var claim = Duration.seconds(30)
    /// How often it is looked for what other replicas and failures have left.
    var round = Duration.milliseconds(500)

    // MARK: Links and questions

    /// A question can be answered with yes for so long, and with no for a year.
    var question = Duration.seconds(30 * 86_400)
    var refusal = Duration.seconds(365 * 86_400)
    /// The longest that a link to an incident may live, should its end never be seen.
    var linkMax = Duration.seconds(7 * 86_400)
    /// A number or address is asked so often in 30 days, whoever names it …
    var askedMax = 3
    /// … and a person asks so many in a day.
    var askingMax = 20
    /// After so many incidents of a person in a day, contacts who have not confirmed are told no more.
    var unconfirmedIncidentsMax = 5

    func pause(after attempts: Int) -> Duration {
        pauses[min(max(0, attempts - 1), pauses.count - 1)]
    }
}
