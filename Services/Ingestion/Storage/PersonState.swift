import Domain
import Postgres
import Primitives

/// The state of a person inside the transaction that stores an arrival.
final class PersonState {
    /// `nil` when there is no row in `person`.
    var number: Int32?
    var isErased = false
    /// Groups of types that are not collected at the moment (ING-14).
    var paused: Set<DataType.Group> = []
    /// What was measured before may have been measured in a pause, in one of …
    let pausesEndedAt: Timestamp?
    /// … these, once they are looked up.
    var pauses = Pauses()
    /// A mask of the data types that are stored of the person.
    var types: Int64 = 0
    /// Arrivals up to this one are in blocks.
    var sealedThrough: Int64 = 0
    /// The person's last arrival that is in no block, or still there although it is in one; `nil` when none was found.
    var last: LastArrival?
    /// The last of the person's arrivals that this process has stored.
    var run = KnownArrivals.Run()
    /// Who gets the samples that arrive now.
    var watches = Watches()

    init(row: PostgresRow) throws(PostgresError) {
        number = try row["number"]
        isErased = try row["is_erased"]
        if let names: [String] = try row["paused"] { paused = Set(names.compactMap(DataType.Group.init(rawValue:))) }
        pausesEndedAt = try row["pauses_ended_at"]
        types = try row.decode("types", as: Int64?.self) ?? 0
        sealedThrough = try row.decode("sealed_through", as: Int64?.self) ?? 0
        watches = try Watches(row: row)
        if let arrival: Int64 = try row["last_arrival"] {
            last = LastArrival(arrival: arrival, storedAt: try row["last_stored_at"])
        }
    }
}

/// Number and time of a person's last arrival.
struct LastArrival: Sendable, Equatable {
    var arrival: Int64
    var storedAt: Timestamp
}

/// The state of the source of an arrival: its device, and the number it has.
struct SourceState: Sendable {
    /// Whose device it is, when accounts has published it.
    let owner: UUID?
    let isRemoved: Bool
    /// A mask of what the person lets the device provide (ACC-14); `nil`: not known yet.
    let types: Int64?
    /// Its number; `nil` when the person's samples never came from there.
    let number: Int16?
    /// The person's greatest number of a source, when there is none for this one.
    let lastNumber: Int16
    /// What was remembered of the device still holds.
    let wasKnown: Bool

    init(row: PostgresRow, known: KnownDevices.Device?) throws(PostgresError) {
        wasKnown = try row.decode("is_known", as: Bool?.self) ?? false
        if wasKnown, let known {
            (owner, isRemoved, types, number, lastNumber) = (known.account, false, known.types, known.number, 0)
            return
        }
        owner = try row["owner"]
        isRemoved = try row.decode("is_removed", as: Bool?.self) ?? false
        types = try row["device_types"]
        number = try row["source"]
        lastNumber = try row.decode("last_source", as: Int16?.self) ?? 0
    }
}

/// What was stored before under an upload's number, or with an entry's content.
enum KnownArrival: Sendable {
    /// With the beginning of the hash of its content, where it was an upload.
    case recent(EarlierArrival, content: Int64?)
    /// An upload whose hash is no longer kept. It was received then, or before.
    case longAgo(receivedUntil: Timestamp)

    /// `nil` where there is none.
    static func decode(_ row: PostgresRow) throws(PostgresError) -> KnownArrival? {
        if let receivedAt: Timestamp = try row["received_at"] {
            if try row.decode("first", as: Int64?.self) != nil { return .longAgo(receivedUntil: receivedAt) }
            if let samples: Int16 = try row["samples"] {
                return .recent(
                    EarlierArrival(plainSamples: samples, receivedAt: receivedAt), content: try row["content"])
            }
            return .recent(try earlier(try row["answer"], receivedAt), content: try row["content"])
        }
        guard let receivedAt: Timestamp = try row["part_received_at"] else { return nil }
        return .recent(try earlier(try row["part_answer"], receivedAt), content: nil)
    }

    private static func earlier(
        _ answer: [UInt8], _ receivedAt: Timestamp
    ) throws(PostgresError) -> EarlierArrival {
        do { return try EarlierArrival(decoding: answer, receivedAt: receivedAt) } catch {
            throw .usage("an answer that cannot be read: \(error)")
        }
    }
}
