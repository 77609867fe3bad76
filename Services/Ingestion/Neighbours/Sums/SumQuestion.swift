import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// What `ingestion.aggregate` and `ingestion.touched` have in common. Their computing is that of the person's own views, on the
/// same threads and with the same bounds, so that uploads, alarms and deliveries of samples do not wait for it.
enum SumQuestion {
    /// Of people whose sums neighbours ask for, beside the questions that people ask themselves.
    static let turns = QuestionTurns()
    /// Those on which anything can have been measured, with some to spare: of 1970 to the end of the 22nd century.
    static let days = CalendarDate(daysSinceEpoch: -31)...CalendarDate(daysSinceEpoch: 84_020)

    /// Errors: `not_found` when nothing is known of the person, `overloaded` when too much is asked at the same time, or too much has
    /// to be read; those of `body`.
    static func answer<R>(_ account: UUID, in database: Database, _ body: () async throws -> R) async throws -> R {
        guard try await database.queryOne(ArrivalStore.isKnown(account), as: Bool.self) == true else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        do {
            return try await turns.run(of: account) {
                let held = try HeldSamples.ofProcess.reserve(
                    HeldSamples.perBucket * Buckets.countMax, for: account)
                defer { held.release() }
                return try await body()
            }
        } catch is Problem {
            throw RPCError(.overloaded)
        } catch IOError.limit {
            throw RPCError(.overloaded)
        } catch is PersonSamples.TooMuch {
            throw RPCError(.overloaded, "The span holds too many samples, or too many are not sealed yet.")
        }
    }

    /// Each once, without those that are never summed up.
    static func types(_ told: [DataType]) -> [DataType] {
        DataType.types(in: DataType.mask(told)).filter { $0.kind != .position }
    }

    /// The whole milliseconds since 1970 of a period.
    static func period(_ from: Timestamp, _ to: Timestamp) -> Range<Int64> {
        from.millisecondsUp..<max(from.millisecondsUp, to.milliseconds)
    }
}
