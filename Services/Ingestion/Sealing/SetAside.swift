import Domain
import Postgres
import Primitives
import Security
import Service

/// What keeps a person from being sealed for days (bytes that cannot be opened, a key that is lost) goes aside, so that the partitions
/// of everybody's arrivals can be dropped and the person's other samples are sealed. It is kept as it was in table
/// `arrival_set_aside`, and put back when it can be sealed: an operator may find the cause (an old key ring, a key store of another
/// day).
extension Sealer {
    /// How long after the end of the day in which it arrived.
    static let setAsideAfter = Duration.seconds(7 * 86_400)
    /// More people than these are no fault of their own data: nothing is set aside.
    static let setAsidePeopleMax = 100

    /// Sets arrivals of a person aside that were stored before `end`: those that cannot be opened; all where each can be, and it is the
    /// person's blocks or details that cannot. Returns how many, at most those of one transaction of sealing.
    func setAside(_ number: Int32, before end: Timestamp) async throws -> Int {
        try await database.transaction { transaction in
            let answers = try await transaction.runBatch([
                BlockStore.lock(number), BlockStore.person(number),
                BlockStore.unsealed(
                    of: number, before: end, rowsMax: Self.arrivalsMax, bytesMax: Self.arrivalBytesMax),
            ])
            guard let row = try answers[1].onlyRow() else { return 0 }
            let person = try BlockStore.Person(row: row)
            let rows = try ArrivalPage<StoredArrival>(answers[2], rowsMax: Self.arrivalsMax).rows
            guard let last = rows.last?.arrival else { return 0 }
            let key = try await self.keys.unwrappedKeys(of: [person.account])[person.account].flatMap { try? $0.get() }
            let unreadable = rows.filter { arrival in
                key.map { (try? arrival.content(of: person.account, $0)) == nil } ?? true
            }
            let aside = unreadable.isEmpty ? rows : unreadable
            try await transaction.execute(SetAsideStore.keep(aside.map(\.arrival), of: number))
            guard aside.count < rows.count, let key else {
                // Readers who come before their partition goes do not get them, and then once more when they are put back.
                try transaction.beforeCommit(SetAsideStore.remove(aside.map(\.arrival), of: number))
                try transaction.beforeCommit(BlockStore.advance(number, through: last, bytes: BlockBytes()))
                return aside.count
            }
            // They keep their numbers, so that readers who count them go on.
            let empty = aside.map { arrival in
                let content = ArrivalContent(
                    receivedAt: ArrivalStore.beginning, sentAt: ArrivalStore.beginning, batch: SampleBatch(),
                    mayRepeat: false)
                return DeletionWork.Arrival(
                    number: arrival.arrival,
                    sealed: key.seal(
                        content.encoded, at: SealedLocation.arrival(arrival.arrival, of: person.account)))
            }
            try transaction.beforeCommit(DeletionStore.replace(empty, of: number))
            return aside.count
        }
    }

    /// Puts those arrivals of a person back that can be sealed by now, as the person's newest: readers are past their numbers. What the
    /// person has deleted since stays away. Returns how many. Errors: `KeyMissing`, those of the databases.
    func putBack(_ number: Int32) async throws -> Int {
        var (count, last) = (0, Int64(0))
        while let page = try await putBack(number, after: last) {
            count += page.count
            last = page.last
            try Task.checkCancellation()
        }
        return count
    }

    private func putBack(_ number: Int32, after last: Int64) async throws -> (count: Int, last: Int64)? {
        try await database.transaction { transaction in
            let answers = try await transaction.runBatch([
                BlockStore.lock(number), BlockStore.person(number), SetAsideStore.page(of: number, after: last),
            ])
            guard let row = try answers[1].onlyRow() else { return nil }
            let person = try BlockStore.Person(row: row)
            let rows = try ArrivalPage<StoredArrival>(answers[2], rowsMax: Self.arrivalsMax).rows
            guard !rows.isEmpty, let key = try await self.keys.existingKey(of: person.account) else { return nil }
            let work = SealWork(account: person.account, key: key, details: person.details)
            let readable = try await self.threads.computing { Self.readable(rows, work) }
            guard try await self.isSealable(readable, of: number, work, in: transaction) else {
                return (0, readable.end)
            }
            let more = try await transaction.runBatch([
                ArrivalStore.lock([person.account]), ArrivalStore.lastArrivals(of: [person.account]),
                DeletedSpans.select(of: person.account),
            ])
            let found = try more[1].decode(as: UUID.self, Int64.self, Timestamp.self).first
            let deleted = try DeletedSpans(
                opening: try more[2].decodeOne(as: [UInt8].self), with: key, of: person.account)
            var next = max(found?.1 ?? 0, person.sealedThrough)
            let arrivals = try readable.arrivals.map { arrival in
                let content = try arrival.content(of: person.account, key)
                next += 1
                guard Int32(exactly: next) != nil else { throw PostgresError.usage("a person's arrivals are used up") }
                let again = ArrivalContent(
                    receivedAt: content.receivedAt, sentAt: content.sentAt, batch: content.batch.without(deleted),
                    mayRepeat: true)
                return SetAsideStore.Again(
                    before: arrival.arrival, number: next, source: arrival.source,
                    sealed: key.seal(again.encoded, at: SealedLocation.arrival(next, of: person.account)))
            }
            for statement in SetAsideStore.putBack(arrivals, of: number, after: found?.2 ?? ArrivalStore.beginning) {
                try transaction.beforeCommit(statement)
            }
            return (arrivals.count, readable.end)
        }
    }

    /// Those of some arrivals that can be opened, as many as are sealed together, with their samples and the number of the last one that
    /// was looked at.
    private struct Readable: Sendable {
        var arrivals: [StoredArrival] = []
        var samples: [BlockSamples] = []
        var end: Int64
    }

    private static func readable(_ rows: [StoredArrival], _ work: SealWork) -> Readable {
        let all = rows.filter { (try? $0.content(of: work.account, work.key)) != nil }
        var readable = Readable(end: rows.last?.arrival ?? .max)
        // Without the person's details their days are not known.
        guard let split = try? work.split(all, samplesMax: samplesMax) else { return readable }
        readable.arrivals = Array(all.prefix(split.arrivals))
        readable.samples = split.samples.next(after: nil, countMax: SealPart.blocksMax).blocks
        if split.arrivals < all.count, let last = readable.arrivals.last { readable.end = last.arrival }
        return readable
    }

    /// Whether the blocks that these belong to can be opened.
    private func isSealable(
        _ readable: Readable, of number: Int32, _ work: SealWork, in transaction: Transaction
    ) async throws -> Bool {
        guard !readable.arrivals.isEmpty else { return false }
        let places = readable.samples.map { BlockKey(type: $0.type, day: $0.day) }
        let stored = try await transaction.query(BlockStore.blocks(places, of: number), as: BlockStore.Row.self)
        return try await threads.computing { (try? work.merged(readable.samples, into: stored)) != nil }
    }
}

enum SetAsideStore {
    static func keep(_ arrivals: [Int64], of person: Int32) -> SQL {
        """
        insert into arrival_set_aside (person, arrival, source, stored_at, sealed)
        select person, arrival, source, stored_at, sealed from arrival
        where person = \(person) and arrival = any(\(arrivals.map { Int32(clamping: $0) }))
        on conflict on constraint arrival_set_aside_key do nothing
        """
    }

    static func remove(_ arrivals: [Int64], of person: Int32) -> SQL {
        "delete from arrival where person = \(person) and arrival = any(\(arrivals.map { Int32(clamping: $0) }))"
    }

    /// Some of the people with arrivals there, and …
    static func people(except resting: [Int32]) -> SQL {
        "select distinct person from arrival_set_aside where person <> all(\(resting)) order by person limit 1000"
    }

    /// … how many there are.
    static let count: SQL = "select count(distinct person) from arrival_set_aside"

    static func page(of person: Int32, after last: Int64) -> SQL {
        ArrivalStore.page(
            of: """
                select arrival, source, sealed from arrival_set_aside
                where person = \(person) and arrival > \(last) order by arrival limit \(Sealer.arrivalsMax)
                """,
            columns: "arrival, source, sealed", order: "arrival", bytesMax: Sealer.arrivalBytesMax)
    }

    /// An arrival that is put back.
    struct Again: Sendable {
        /// Its number, before and now.
        let before: Int64
        let number: Int64
        let source: Int16
        let sealed: [UInt8]
    }

    /// `last` is when the person's last arrival was stored.
    static func putBack(_ arrivals: [Again], of person: Int32, after last: Timestamp) -> [SQL] {
        [
            """
            insert into arrival (stored_at, person, arrival, source, sealed)
            select greatest(clock_timestamp(), \(last)), \(person), v.* from unnest(
              \(arrivals.map { Int32(clamping: $0.number) }), \(arrivals.map(\.source)), \(arrivals.map(\.sealed))) as v
            """,
            """
            delete from arrival_set_aside
            where person = \(person) and arrival = any(\(arrivals.map { Int32(clamping: $0.before) }))
            """,
        ]
    }
}
