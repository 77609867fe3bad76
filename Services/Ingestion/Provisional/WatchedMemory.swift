import Contracts
import Domain
import Postgres
import Primitives
import Service
import Synchronization

/// The people whom AutomatedSOS watches, in memory, with what has to be known of them when the database cannot be asked: which data
/// types the dispatcher gets, what is not collected, and which devices there are. About 200 bytes each.
///
/// It is as the last upload of a person through this process was stored, and as the database was at the last round of `keep`; so
/// what the person has changed since, at another replica, counts here after a minute at most.
final class WatchedMemory: Sendable {
    static let interval = Duration.seconds(60)
    /// As many as the dispatcher watches at most.
    static let peopleMax = 4_000_000
    private static let pageMax: Int64 = 1000
    private static let source = ServiceName.dispatcher.rawValue

    struct Device: Sendable, Equatable {
        let id: UUID
        /// A mask of what the person lets it provide; `nil`: all.
        var types: Int64?
    }

    struct Person: Sendable, Equatable {
        /// A mask of what the dispatcher gets.
        var types: Int64
        /// Groups of types that are not collected.
        var paused: Set<DataType.Group> = []
        /// What was measured before may have been measured in a pause.
        var pausesEndedAt: Timestamp?
        var devices: [Device] = []

        func device(_ id: UUID) -> Device? { devices.first { $0.id == id } }

        /// What of a device's samples may be passed on. What was measured before the last pause ended is left out, as it may have been
        /// measured in it.
        func kept(_ batch: SampleBatch, from device: Device) -> SampleBatch {
            var kept = batch
            kept.keep(types & (device.types ?? .max))
            for group in paused { kept.remove(group) }
            if let pausesEndedAt { kept = kept.between(pausesEndedAt.millisecondsUp, .max) }
            return kept
        }
    }

    fileprivate struct Entry {
        var person: Person
        let shard: Int
        /// The round in which it was seen last.
        var round: UInt32
    }

    fileprivate struct State {
        var people: [UUID: Entry] = [:]
        /// Of each shard, the round that is under way or was the last one.
        var rounds: [Int: UInt32] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.people.count } }

    func person(_ account: UUID) -> Person? { state.withLock { $0.people[account]?.person } }

    /// Call when an upload was stored: how the person and the device stand. Without `types` the dispatcher does not watch.
    func note(
        _ account: UUID, shard: Int, types: Int64?, paused: Set<DataType.Group>, pausesEndedAt: Timestamp?,
        device: Device
    ) {
        state.withLock { state in
            guard let types else {
                state.people[account] = nil
                return
            }
            var person = Person(types: types, paused: paused, pausesEndedAt: pausesEndedAt)
            person.devices = state.people[account]?.person.devices ?? []
            if let index = person.devices.firstIndex(where: { $0.id == device.id }) {
                person.devices[index] = device
            } else {
                person.devices.append(device)
            }
            state.insert(person, account, shard)
        }
    }

    /// Reads everybody of a shard anew; call regularly. What cannot be read stays as it was.
    func keep(shard: Int, in database: Database, at now: Timestamp) async throws {
        state.withLock { $0.rounds[shard, default: 0] &+= 1 }
        var last = UUID(high: 0, low: 0)
        while !Task.isCancelled {
            let rows = try await database.run(Self.page(after: last, at: now)).rows
            for row in rows {
                last = try row["entity"]
                let account: UUID = try row["account_id"]
                let person = try Self.person(row)
                state.withLock { $0.insert(person, account, shard) }
            }
            guard rows.count == Self.pageMax else { break }
        }
        try Task.checkCancellation()
        state.withLock { state in
            let round = state.rounds[shard]
            state.people = state.people.filter { $0.value.shard != shard || $0.value.round == round }
        }
    }

    private static func page(after last: UUID, at now: Timestamp) -> SQL {
        """
        select w.entity, w.account_id, w.types, p.paused, p.pauses_ended_at, d.ids, d.masks
        from watch w
        left join lateral (
          select paused, pauses_ended_at, erased_at from person where account_id = w.account_id limit 1) p on true
        cross join lateral (
          select array_agg(device_id) as ids, array_agg(types) as masks from device
          where account_id = w.account_id and not is_removed) d
        where w.source = \(source) and w.entity > \(last) and w.is_watched and w.tells = 'samples'
          and w.measured_from is null and (w.until is null or w.until > \(now)) and p.erased_at is null
        order by w.entity limit \(raw: String(pageMax))
        """
    }

    private static func person(_ row: PostgresRow) throws -> Person {
        var person = Person(types: try row["types"], pausesEndedAt: try row["pauses_ended_at"])
        if let names: [String] = try row["paused"] {
            person.paused = Set(names.compactMap(DataType.Group.init(rawValue:)))
        }
        if let ids: [UUID] = try row["ids"] {
            let masks: [Int64?] = try row["masks"]
            person.devices = zip(ids, masks).map { Device(id: $0, types: $1) }
        }
        return person
    }
}

extension WatchedMemory.State {
    fileprivate mutating func insert(_ person: WatchedMemory.Person, _ account: UUID, _ shard: Int) {
        guard people[account] != nil || people.count < WatchedMemory.peopleMax else { return }
        people[account] = .init(person: person, shard: shard, round: rounds[shard] ?? 0)
    }
}
