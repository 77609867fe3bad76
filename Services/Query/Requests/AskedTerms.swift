import Domain
import HTTP
import Primitives

/// What a third party asks for, of whomever it is (REQ-01): the members of a request beside the person.
struct AskedTerms: Decodable, Sendable {
    static let reasonLimits = TextLimits(charactersMax: 500, lines: .many)
    static let typesMax = 32
    static let minutes = 5...1440

    var dataTypes: [DataType]
    var from: Timestamp
    var to: Timestamp
    var mode: ConsentRequest.Mode
    /// Raw when it is absent.
    var granularity: ConsentRequest.Granularity?
    /// Live when it is absent, for a subscription; a request for the past has none.
    var frequency: UpdateFrequency.Word?
    /// With the frequency `interval` alone.
    var everyMinutes: Int?
    var reason: String

    /// All that is wrong.
    func faults(at now: Timestamp, _ settings: RequestSettings) -> [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        func refuse(_ pointer: String, _ detail: String) {
            errors.append(.init(pointer: "/\(pointer)", detail: detail))
        }
        if dataTypes.isEmpty || dataTypes.count > Self.typesMax || Set(dataTypes).count != dataTypes.count {
            refuse("data_types", "name 1 to \(Self.typesMax) data types, each once")
        } else if granularity ?? .raw != .raw, dataTypes.contains(.position) {
            refuse("data_types", "positions cannot be aggregated: ask for them in a request of granularity raw")
        }
        if from >= to { refuse("to", "the period ends after it begins") }
        switch mode {
        case .once where to > now: refuse("mode", "a period that reaches into the future is a subscription")
        case .subscription where to <= now: refuse("mode", "a subscription reaches into the future")
        case .subscription where to > now + .seconds(86_400 * Int64(settings.subscriptionDaysMax)):
            refuse("to", "a subscription ends at most \(settings.subscriptionDaysMax) days from now")
        default: break
        }
        if mode == .once, frequency != nil {
            refuse("frequency", "a request for the past has no frequency: leave it out")
        }
        if frequency == .interval {
            if !(everyMinutes.map(Self.minutes.contains) ?? false) {
                refuse(
                    "every_minutes",
                    "say every how many minutes, from \(Self.minutes.lowerBound) to \(Self.minutes.upperBound)")
            }
        } else if everyMinutes != nil {
            refuse("every_minutes", "is for the frequency interval alone")
        }
        if let fault = Self.reasonLimits.fault(in: reason) { refuse("reason", fault.description) }
        return errors
    }

    /// Of terms without faults; `nil` for a request for the past.
    var updates: UpdateFrequency? {
        guard mode == .subscription else { return nil }
        return UpdateFrequency(frequency ?? .live, everyMinutes: everyMinutes)
    }

    /// Throws 422 with all that is wrong, unless there is nothing.
    static func refuse(_ errors: [Problem.FieldError]) throws(Problem) {
        guard let first = errors.first else { return }
        throw Problem(.unprocessableContent, code: "invalid-request", detail: first.detail, errors: errors)
    }
}
