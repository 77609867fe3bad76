import Contracts
import Domain
import Postgres
import Primitives

/// The watches of a person that hold now: who gets the samples that arrive, of which data types, measured when; and who is
/// told only that some arrived (`Ingestion.Watch`).
struct Watches: Sendable {
    struct Watch: Sendable {
        /// The service that watches.
        let watcher: String
        /// A mask of data types.
        let types: Int64
        /// Both ends are included; `nil`: whenever they were measured.
        let measured: (from: Timestamp, to: Timestamp)?
    }

    /// Those that get samples. Nothing else of these watches depends on who is told of arrivals: a device measures as ever.
    private let all: [Watch]
    /// For each service that is told of arrivals alone, a mask of the data types.
    let told: [String: Int64]

    init(_ watches: [Watch] = [], told: [String: Int64] = [:]) {
        all = watches
        self.told = told
    }

    /// Of the columns `WatchStore.columns`, which are null where there is none.
    init(row: PostgresRow) throws(PostgresError) {
        guard let watchers: [String] = try row["watchers"] else {
            self.init()
            return
        }
        let (types, froms, tos): ([Int64], [Timestamp?], [Timestamp?]) = (
            try row["watched_types"], try row["froms"], try row["tos"]
        )
        let tells: [String] = try row["tells"]
        var (all, told): ([Watch], [String: Int64]) = ([], [:])
        for index in watchers.indices {
            guard tells[index] != Ingestion.Watch.Tells.arrivals.rawValue else {
                told[watchers[index], default: 0] |= types[index]
                continue
            }
            all.append(
                Watch(
                    watcher: watchers[index], types: types[index],
                    measured: froms[index].flatMap { from in tos[index].map { (from, $0) } }))
        }
        self.init(all, told: told)
    }

    /// Whether nobody gets samples.
    var isEmpty: Bool { all.isEmpty }

    /// Whether somebody watches the person whatever the time.
    var isAlways: Bool { all.contains { $0.measured == nil } }

    /// Whether a service does.
    func isAlways(for watcher: String) -> Bool { all.contains { $0.watcher == watcher && $0.measured == nil } }

    /// A mask of what a service gets whatever the time; `nil` when there is no such watch of it.
    func typesAlways(for watcher: String) -> Int64? {
        let own = all.filter { $0.watcher == watcher && $0.measured == nil }
        return own.isEmpty ? nil : own.reduce(0) { $0 | $1.types }
    }

    /// The services that watch, in the order of their names.
    var watchers: [String] { Set(all.map(\.watcher)).sorted() }

    /// What of a batch a service gets, of `types` (a mask); what it gets whenever it was measured, up to an age.
    func series(
        of batch: SampleBatch, for watcher: String, types: Int64 = .max, sentAt: Timestamp, receivedAt: Timestamp,
        ageMax: Duration? = nil, samplesMax: Int = SampleSeries.samplesMax
    ) -> [SampleSeries] {
        let watches = all.filter { $0.watcher == watcher && $0.types & types != 0 }
        return Self.groups(watches.map { $0.types & types }).flatMap { group in
            WatchedTimes(of: watches.filter { $0.types & group != 0 }).series(
                of: batch, types: group, sentAt: sentAt, receivedAt: receivedAt, ageMax: ageMax, samplesMax: samplesMax)
        }
    }

    /// The types of all masks together, divided so that each mask has all of a group or none of it.
    private static func groups(_ masks: [Int64]) -> [Int64] {
        let union = masks.reduce(0, |)
        return masks.reduce(union == 0 ? [] : [union]) { groups, mask in
            groups.flatMap { [$0 & mask, $0 & ~mask] }.filter { $0 != 0 }
        }
    }
}
