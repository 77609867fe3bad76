import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service

/// The feed `ingestion.live` (SOS-02, RUN-09, SUB-01). Stored payloads are sealed with the person's key and opened when a
/// consumer reads them; those of an erased person can no longer be opened and are left out. Those of a person whose key
/// cannot be had now are withheld: the consumer learns that there are some, and reads them from storage (`ReadGapMethod`),
/// while the other people's go on. That something arrived, which is told without the samples, is not sealed: it is no more than
/// the types that are collected of an account.
struct LiveFeed: Sendable {
    /// So that a payload stays below `FeedEvent.payloadBytesMax`, sealed and in base64: a sample takes about 50 bytes as JSON, what a
    /// series has beside them 150.
    static let samplesMax = 400
    private static let seriesMax = 100
    /// How old samples may be when they are sent, of people who are watched whenever they were measured: older ones change
    /// neither an alarm (5 minutes) nor what belongs to the same emergency (30), and devices that were without a network
    /// all come back together, just when the others' alarms are waited for.
    static let ageMax = Duration.seconds(1800)
    /// Events of one upload, the newest, for a service that watches the person whenever it was measured: five minutes of eleven
    /// data types, three a second.
    static let eventsMax = 32
    /// The same for one that watches in certain times: eight hours of positions and heart rates every second, since whoever
    /// ran without a network sends all of the run. What a group of uploads publishes stays below what feeds take in one
    /// transaction.
    static let spanEventsMax = 120

    /// Nobody gets an event that is not addressed to it. The numbers stand in the tables.
    private static let addressees: [String: Int16] = [
        ServiceName.dispatcher.rawValue: 1, ServiceName.track4run.rawValue: 2, readerOfArrivals: 3,
    ]
    /// Reads in memory, and nothing is kept for it: what it has missed is stored.
    private static let readerOfArrivals = ServiceName.query.rawValue

    private let producer: FeedProducer

    init(_ producer: FeedProducer) {
        self.producer = producer
    }

    static func definition(_ keys: SubjectKeys, _ log: Log) -> FeedDefinition {
        FeedDefinition(
            name: Ingestion.liveFeed,
            durable: Set(addressees.keys).subtracting([readerOfArrivals]), ephemeral: [readerOfArrivals],
            addressees: addressees,
            // This process may still have a key that another replica has destroyed.
            hides: { "(select true from person where account_id = \(sql: $0) and erased_at is not null limit 1)" },
            reveal: { try await reveal($0, keys, log) })
    }

    /// The events of an arrival: for each service that watches the person, what it asked for. None for an arrival without
    /// a device.
    func events(of arrival: NewArrival, for watches: Watches) throws -> [FeedEvent] {
        guard let device = arrival.device else { return [] }
        let parts = watches.watchers.flatMap { watcher in
            let series = watches.series(
                of: arrival.batch, for: watcher, sentAt: arrival.correctedSentAt, receivedAt: arrival.receivedAt,
                ageMax: Self.ageMax, samplesMax: Self.samplesMax)
            let countMax = watches.isAlways(for: watcher) ? Self.eventsMax : Self.spanEventsMax
            return Self.newest(series, groupsMax: countMax).map { (watcher: watcher, series: $0) }
        }
        return try parts.enumerated().map { number, part in
            let live = Ingestion.LiveSamples(
                accountID: arrival.account, deviceID: device, receivedAt: arrival.receivedAt,
                sentAt: arrival.correctedSentAt, series: part.series)
            let sealed = arrival.key.seal(try JSONEncoder().encode(live), at: SealedLocation.live(arrival.account))
            return try FeedEvent(
                feed: Ingestion.liveFeed, entity: arrival.account,
                version: arrival.receivedAt.microseconds + Int64(number), kind: Ingestion.liveSamplesKind,
                encoding: Base64.standard.encode(sealed), to: part.watcher)
        }
    }

    /// That samples of some types (a mask) of a person arrived; `nil` when none of them is of a type that the service asked for.
    static func arrival(
        of account: UUID, types: Int64, for watcher: String, at time: Timestamp
    ) throws -> FeedEvent? {
        let types = DataType.types(in: types)
        guard !types.isEmpty else { return nil }
        return try FeedEvent(
            feed: Ingestion.liveFeed, entity: account, version: time.microseconds, kind: Ingestion.liveArrivedKind,
            encoding: Ingestion.LiveArrival(accountID: account, types: types), to: watcher)
    }

    /// Tells the services that are told of the arrivals of these people that what is collected of them may have changed (SUB-04).
    /// Call after the change, in its transaction, with the people locked as a watch that begins locks them (`WatchChanges`).
    func tellCollection(of accounts: [UUID], in transaction: Transaction) async throws {
        let rows = try await transaction.query(
            """
            select distinct w.account_id, w.source, clock_timestamp() from watch w
            where w.account_id = any(\(accounts)) and w.is_watched and w.tells = 'arrivals'
            """, as: UUID.self, String.self, Timestamp.self)
        try await publish(
            try rows.map { try Self.collection(of: $0.0, for: $0.1, at: $0.2) }, in: transaction)
    }

    /// That what is collected of a person may have changed.
    static func collection(
        of account: UUID, for watcher: String, at time: Timestamp
    ) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Ingestion.liveFeed, entity: account, version: time.microseconds, kind: Ingestion.liveCollectionKind,
            encoding: Empty(), to: watcher)
    }

    /// What of a batch is passed on that is not stored: samples since `time`, in groups, the newest ones.
    static func newestSeries(of batch: SampleBatch, since time: Timestamp, groupsMax: Int) -> [[SampleSeries]] {
        Array(newest(batch.series(from: time.millisecondsUp, samplesMax: samplesMax), groupsMax: groupsMax))
    }

    /// All, in groups; where these were too many, the newest.
    private static func newest(_ series: [SampleSeries], groupsMax: Int) -> ArraySlice<[SampleSeries]> {
        let groups = packed(series)
        guard groups.count > groupsMax else { return groups[...] }
        return packed(series.sorted { $0.lastTime < $1.lastTime }).suffix(groupsMax)
    }

    /// Groups of at most `samplesMax` samples and `seriesMax` series, as few as the order allows.
    private static func packed(_ series: [SampleSeries]) -> [[SampleSeries]] {
        var groups: [[SampleSeries]] = []
        var count = samplesMax
        for one in series {
            if count + one.count > samplesMax || groups.last?.count == seriesMax {
                groups.append([])
                count = 0
            }
            groups[groups.count - 1].append(one)
            count += one.count
        }
        return groups
    }

    func publish(_ events: [FeedEvent], in transaction: Transaction) async throws(PostgresError) {
        try await producer.publish(events, in: transaction)
    }

    /// Kinds of events that are not sealed.
    private static let open: Set<String> = [Ingestion.liveArrivedKind, Ingestion.liveCollectionKind]

    /// A record that cannot be read is left out and logged; the others are read all the same.
    private static func reveal(
        _ records: [FeedRecord], _ keys: SubjectKeys, _ log: Log
    ) async throws -> [FeedRecord] {
        let known = await keys.keysAtHand(
            of: Set(records.lazy.filter { !open.contains($0.kind) }.map(\.entity)))
        try Task.checkCancellation()
        report(known, log)
        let nothing = try JSONRaw(encoding: Empty())
        return records.compactMap { record in
            guard !open.contains(record.kind) else { return record }
            let key: SubjectKey
            switch known[record.entity] {
            case nil: return nil
            case .failure: return record.with(payload: nothing, kind: Ingestion.liveWithheldKind)
            case .success(let found): key = found
            }
            do {
                return try opened(record, key)
            } catch {
                log.error(
                    "live record left out",
                    [
                        "lane": .integer(Int64(record.lane)), "feed_position": .integer(record.position),
                        "error": Log.text(of: error),
                    ])
                return nil
            }
        }
    }

    private static func report(_ keys: [UUID: Result<SubjectKey, any Error>], _ log: Log) {
        let failures = keys.values.compactMap { key -> (any Error)? in
            if case .failure(let error) = key { error } else { nil }
        }
        guard let first = failures.first else { return }
        log.error(
            "live samples of people whose keys cannot be had are withheld",
            ["people": .integer(Int64(failures.count)), "error": Log.text(of: first)])
    }

    private static func opened(_ record: FeedRecord, _ key: SubjectKey) throws -> FeedRecord {
        guard let sealed = Base64.standard.decode(try record.decode(String.self)) else {
            throw SecurityError.malformed("a live payload that is not base64")
        }
        let payload = try JSONRaw(validating: try key.open(sealed, at: SealedLocation.live(record.entity)))
        return record.with(payload: payload)
    }
}

extension SampleSeries {
    fileprivate var lastTime: Timestamp { count > 0 ? time(count - 1) : start }
}
