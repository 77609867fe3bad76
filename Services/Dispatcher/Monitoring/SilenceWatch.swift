import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// Finds people of whom no vital sign has come for a long time: their monitors are blind (SOS-11). While the feed is
/// not read nobody is judged. Many people who fall silent together are an outage that the operator is told of, not lost
/// sensors.
struct SilenceWatch: Sendable {
    static let batchMax = 100
    static let interval = Duration.seconds(15)
    /// People who fell silent within so long of each other did so together.
    static let togetherMax = Duration.seconds(150)
    /// So many together are an outage …
    static let outageMin = 5
    /// … when they are at least one in so many of those that are watched and not blind.
    static let outageShare = 10

    let people: WatchedPeople
    let gaps: GapStore
    let progress: @Sendable () async throws -> FeedProgress
    let freshness = FeedFreshness()
    private let outage = Outage()
    private let silent: Gauge

    init(
        people: WatchedPeople, gaps: GapStore, metrics: Metrics,
        progress: @escaping @Sendable () async throws -> FeedProgress
    ) {
        self.people = people
        self.gaps = gaps
        self.progress = progress
        silent = metrics.gauge(
            "trackme_monitors_silent_together",
            "People who fell silent at the same time as many others: an outage of the platform or a network.")
    }

    private final class Outage: Sendable {
        private let isOn = Mutex(false)

        /// True when it changed.
        func set(_ isOutage: Bool) -> Bool {
            isOn.withLock { isOn in
                defer { isOn = isOutage }
                return isOn != isOutage
            }
        }
    }

    /// One round; returns how many people became blind.
    @discardableResult
    func look(at now: Deadline = .now()) async throws -> Int {
        guard freshness.update(try await progress(), at: now) >= Monitor.silenceMax else { return 0 }
        let rows = try await people.incidents.database.query(Self.undecided, as: UUID?.self, Int.self)
        let accounts = rows.compactMap(\.0)
        report(rows.first { $0.0 == nil }?.1 ?? 0)
        guard !accounts.isEmpty else { return 0 }
        return try await people.incidents.database.transaction { transaction in
            var count = 0
            let keyless = try await people.change(accounts, in: transaction) { people, surroundings in
                for account in people.keys where people[account]?.endSilence(in: surroundings) == true { count += 1 }
            }
            // Judged once they are read, and in nobody's way until then.
            if !keyless.isEmpty { try await transaction.execute(gaps.open(of: keyless)) }
            return count
        }
    }

    /// People who are silent, not marked as blind and in no outage, at most a batch; and, without an account, the number
    /// of those who are in one. People whose samples are still to be read from ingestion's storage are not judged.
    static var undecided: SQL {
        let (silence, together) = (Monitor.silenceMax.seconds, togetherMax.seconds)
        return """
            with quiet as (
              select account, last_vital_at, count(*) over (order by last_vital_at
                  range between make_interval(secs => \(together)) preceding
                    and make_interval(secs => \(together)) following) as together
              from monitor where phase <> 'blind' and last_vital_at < clock_timestamp() - make_interval(secs => \(together))),
            silent as (
              select account, last_vital_at, together >= \(Int64(outageMin))
                and together * \(Int64(outageShare)) >= (select count(*) from monitor where phase <> 'blind') as is_outage
              from quiet q where last_vital_at < clock_timestamp() - make_interval(secs => \(silence))
                and not exists (select from feed_gap g where g.account = q.account))
            (select account, 1::bigint from silent where not is_outage order by last_vital_at limit \(Int64(batchMax)))
            union all select null, count(*) from silent where is_outage
            """
    }

    private func report(_ together: Int) {
        silent.set(Double(together))
        // As long as it lasts, by whichever replica: it is over when nobody rings.
        if together > 0 { people.bell.ring(OperatorAlarm(.silence, detail: "\(together) people")) }
        guard outage.set(together > 0) else { return }
        if together > 0 {
            people.log.error(
                "many people fell silent together: the platform or a network is out",
                ["people": .integer(Int64(together))])
        } else {
            people.bell.end(.silence)
            people.log.info("people who fell silent together are seen again, or known to be blind")
        }
    }
}
