import Postgres
import Primitives

/// What a third party wants to be told of by mail (SUB-02): how many events are new, never what is in them, since mail is not
/// confidential. Outcomes are mailed one by one whatever this says (REQ-07).
struct Mailing: Sendable {
    enum Frequency: String, Codable, CaseIterable, Sendable, PostgresCodable {
        case off
        /// As soon as there is something, but no more than one mail in a quarter of an hour.
        case each
        case daily, weekly
    }

    var frequency = Frequency.off
    /// Those that are counted.
    var kinds: [Event.Kind] = [.samples, .sums]
    /// The next mail comes no sooner; `nil` when none comes.
    var dueAt: Timestamp?
}

/// It as the third party sees it.
struct MailingView: Encodable, Sendable {
    let frequency: Mailing.Frequency
    let kinds: [String]
    let nextAt: Timestamp?

    init(_ mailing: Mailing) {
        frequency = mailing.frequency
        kinds = mailing.kinds.map(\.rawValue)
        nextAt = mailing.dueAt
    }
}

/// Intervals of mailing. Tests use others.
struct MailingTimes: Sendable {
    var each = Duration.seconds(900)
    /// For so long a process alone counts what is new; it goes on while that is being read.
    var lease = Duration.seconds(60)
    /// The longest that is waited for what is stored and is no event yet; what is not counted until then is in the next mail.
    var reading = Duration.seconds(300)
    /// The same when all that is waited for has failed.
    var failing = Duration.seconds(10)
    /// How often that is looked after.
    var look = Duration.seconds(1)
    /// When nothing could be read at all.
    var retry = Duration.seconds(300)
    /// Events are counted so many at a time, the newest first, at most so often: of more the mail says that there are more.
    var countedTogether: Int64 = 50_000
    var countsMax = 100

    /// `nil`: no mail.
    func interval(_ frequency: Mailing.Frequency) -> Duration? {
        switch frequency {
        case .off: nil
        case .each: each
        case .daily: .seconds(86_400)
        case .weekly: .seconds(7 * 86_400)
        }
    }

    /// The longest of them.
    static let intervalMax = Duration.seconds(7 * 86_400)
}
