import Postgres
import Primitives
import Reactor

/// Test calls (SOS-12).
extension IncidentStore {
    /// Test calls of one person …
    static let exercisesMax = 5
    /// … in this time.
    static let exerciseWindow = Duration.seconds(86_400)

    enum ExerciseOpening: Sendable, Equatable {
        case opened
        /// Another one of the person is open.
        case underWay
        /// The next one is allowed after this time.
        case tooMany(Duration)
    }

    /// Opens a test call, with the lease on this process, unless the person has made too many. Those of one person are
    /// counted one after the other. One that seems to be of the future was made before the clock was set back, and does
    /// not count.
    func openExercise(_ record: IncidentRecord) async throws -> ExerciseOpening {
        let (account, window) = (record.account, Self.exerciseWindow)
        return try await database.transaction { transaction in
            let results = try await transaction.runBatch(
                [
                    "select from enrolment where account = \(account) for no key update",
                    """
                    select count(*), extract(epoch from min(opened_at) - clock_timestamp())::float8 from (
                      select opened_at from incident
                      where account = \(account) and is_exercise and opened_at <= clock_timestamp()
                        and opened_at > clock_timestamp() - make_interval(secs => \(window.seconds))
                      order by opened_at desc limit \(Int64(Self.exercisesMax))) e
                    """,
                ], deadline: nil)
            if let (count, oldest) = try results[1].decodeOne(as: Int.self, Double?.self), count >= Self.exercisesMax {
                return .tooMany(max(.zero, window + .seconds(oldest ?? 0)))
            }
            guard try await transaction.execute(open(record)) > 0 else { return .underWay }
            transaction.afterCommit { changed.raise() }
            return .opened
        }
    }
}
