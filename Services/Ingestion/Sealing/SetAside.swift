import Domain
import Postgres
import Primitives
import Security

/// What keeps a person from being sealed for days (bytes that cannot be opened, a key that is lost) goes aside, so that the partitions
/// of everybody's arrivals can be dropped and the person's other samples are sealed. It is kept as it was in table
/// `arrival_set_aside`, for operators who have the cause (an old key ring, a key store of another day).
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
}
