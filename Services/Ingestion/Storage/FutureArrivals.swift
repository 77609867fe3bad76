import Postgres
import Primitives

/// Arrivals that were stored while the database's clock was ahead. Of one person no arrival is stored before another one that precedes
/// it, so what came after them would lie in partitions of the future, too: sealed late, kept for long, and left out where arrivals are
/// read by the time of their reception. They become arrivals of the present.
enum FutureArrivals {
    /// Clocks of a database and its standby differ by less.
    static let aheadMin = Duration.seconds(60)
    private static let peopleMax = 100

    /// Makes all arrivals of people that were stored after `now`, the database's time, arrivals of that time. The people must be locked
    /// (`ArrivalStore.lock`).
    static func bringBack(_ people: [Int32], to now: Timestamp) -> SQL {
        "update arrival set stored_at = \(now) where person = any(\(people)) and stored_at > \(now)"
    }

    /// Brings back those of everybody that lie on days to come: also of people who send nothing more.
    static func bringBack(in database: Database) async throws {
        let (days, now) = try await ArrivalDays.list(in: database)
        for day in days where day.day.startUTC > now {
            var last = Int32.min
            while true {
                let people = try await database.query(
                    ArrivalDays.people(on: day, after: last, countMax: peopleMax), as: Int32.self, Bool.self
                ).map(\.0)
                guard let end = people.last else { break }
                last = end
                try await bringBack(people, in: database)
                try Task.checkCancellation()
            }
        }
    }

    private static func bringBack(_ people: [Int32], in database: Database) async throws {
        let accounts = try await database.query(
            "select account_id from person where number = any(\(people))", as: UUID.self)
        try await database.transaction { transaction -> Void in
            let answers = try await transaction.runBatch([ArrivalStore.lock(accounts), "select clock_timestamp()"])
            guard let now = try answers[1].decodeOne(as: Timestamp.self) else { return }
            try await transaction.execute(bringBack(people, to: now))
        }
    }
}
