import Domain
import Primitives
import SimulatedPeople
import SuiteClient

/// What each of the ten people of the sandbox does, whatever third party asks. Their order is that of `SandboxPopulation`.
enum SandboxRole: String, CaseIterable, Sendable {
    case accepts, fast, walks, partly, later, little, refuses, withdraws, pauses, silent

    /// How long `later` waits before the acceptance, and `withdraws` after it.
    static let wait = Duration.seconds(20)
    /// `pauses` collects for so long, and then pauses for as long: longer than what is missing has to last in a suite of `deploy/run`
    /// until third parties are told (`unavailable_after_minutes`).
    static let turn = Duration.seconds(180)

    /// For whoever writes a program.
    var words: String {
        switch self {
        case .accepts: "accepts everything at once"
        case .fast: "the same; measures every 5 s, others every 30 s"
        case .walks: "the same, on the way: position and heart rate every 5 s"
        case .partly: "accepts the heart rate alone, refuses what is without it"
        case .later: "accepts everything after 20 s"
        case .little: "accepts everything; only the heart rate is collected"
        case .refuses: "refuses at once"
        case .withdraws: "accepts everything, withdraws 20 s later"
        case .pauses: "accepts everything; measures for three minutes, pauses health data for three"
        case .silent: "never answers"
        }
    }

    enum Step: Equatable {
        /// `nil`: all types.
        case accept([DataType]?)
        case refuse, withdraw
    }

    /// What is done next about a request, and when; `nil` for nothing.
    func step(on request: ReceivedRequest) -> (step: Step, at: Timestamp)? {
        guard request.kind == "request" else { return nil }
        switch request.state {
        case "pending":
            switch self {
            case .accepts, .fast, .walks, .little, .pauses, .withdraws: return (.accept(nil), request.createdAt)
            case .partly:
                let isWanted = request.dataTypes.contains(.heartRate)
                return (isWanted ? .accept([.heartRate]) : .refuse, request.createdAt)
            case .later: return (.accept(nil), request.createdAt + Self.wait)
            case .refuses: return (.refuse, request.createdAt)
            case .silent: return nil
            }
        case "accepted" where self == .withdraws:
            return (.withdraw, (request.decidedAt ?? request.createdAt) + Self.wait)
        default: return nil
        }
    }

    /// Whether the person has paused the collection of health data at a time.
    func isPaused(at time: Timestamp) -> Bool {
        self == .pauses && (time.milliseconds / Self.turn.milliseconds) % 2 == 1
    }

    /// What the person's watch can measure.
    var types: [DataType] {
        self == .little ? [.heartRate] : SimulatedWearer.watchTypes + [.position]
    }

    /// Of what is measured while the suite runs.
    var interval: Duration { self == .fast || self == .walks ? .seconds(5) : .seconds(30) }
}
