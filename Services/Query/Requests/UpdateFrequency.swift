/// When a subscription has updates (SUB-01).
enum UpdateFrequency: Sendable, Equatable {
    /// As soon as data is produced.
    case live
    case daily
    case weekly
    case every(minutes: Int)

    /// As it stands in JSON and in the database, beside the minutes.
    enum Word: String, Codable, CaseIterable, Sendable {
        case live, daily, weekly
        /// Every so many minutes, which the member `every_minutes` says.
        case interval
    }

    /// `nil` for an interval without its minutes, and for minutes without an interval.
    init?(_ word: Word, everyMinutes: Int?) {
        switch (word, everyMinutes) {
        case (.live, nil): self = .live
        case (.daily, nil): self = .daily
        case (.weekly, nil): self = .weekly
        case (.interval, let minutes?): self = .every(minutes: minutes)
        default: return nil
        }
    }

    var word: Word {
        switch self {
        case .live: .live
        case .daily: .daily
        case .weekly: .weekly
        case .every: .interval
        }
    }

    var everyMinutes: Int? {
        guard case .every(let minutes) = self else { return nil }
        return minutes
    }
}
