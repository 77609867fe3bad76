import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor

/// What is collected of a person: health data and position by themselves, each with its consent and when it is not paused; and
/// which data types devices may provide at all (ACC-14, ING-14).
struct DataCollection: Sendable {
    /// Longest pause that ends by itself.
    static let pauseMax = Duration.seconds(30 * 24 * 3600)
    /// How often pauses that end by themselves are looked for, and how many at a time.
    static let interval = Duration.seconds(5)
    static let batchMax = 100
    /// Pauses that one account begins within `beginningTime`; resuming has no limit.
    static let beginningMax = 100
    static let beginningTime = Duration.seconds(24 * 3600)

    struct GroupState: Encodable, Sendable {
        /// Whether anything is collected: with consent, and not paused.
        let isCollected: Bool
        let hasConsent: Bool
        let pausedAt: Timestamp?
        /// When it goes on by itself.
        let pausedUntil: Timestamp?
    }

    struct Own: Encodable, Sendable {
        let health: GroupState
        let position: GroupState
        /// Types that no device may provide.
        let excludedTypes: [DataType]
    }

    /// Members that are absent stay as they are.
    struct Change: Decodable, Sendable {
        struct Pausing: Decodable, Sendable {
            let isPaused: Bool
            /// Without it the pause lasts until somebody ends it.
            let until: Timestamp?
        }

        let health: Pausing?
        let position: Pausing?
        let excludedTypes: [DataType]?
    }

    let store: Store

    func own(_ account: UUID) async throws -> Own {
        let consents = try await Consents.read(of: account, in: store.database)
        let rows = try await store.database.query(
            "select kind, paused_at, until from collection_pause where account = \(account)",
            as: String.self, Timestamp.self, Timestamp?.self)
        let excluded = try await store.database.queryOne(
            "select excluded_types from person where account = \(account)", as: [Int16].self)
        guard let excluded else { throw Refusal.notFound }
        func state(_ group: DataType.Group, _ hasConsent: Bool) -> GroupState {
            let pause = rows.first { $0.0 == group.rawValue }
            return GroupState(
                isCollected: hasConsent && pause == nil, hasConsent: hasConsent, pausedAt: pause?.1,
                pausedUntil: pause?.2)
        }
        return Own(
            health: state(.health, consents.healthData), position: state(.position, consents.position),
            excludedTypes: try DataType.stored(excluded))
    }

    /// Pauses, resumes and chooses types. Throws `Refusal` for an end that is over or too far ahead, and `too-many-changes`.
    func change(_ account: UUID, _ change: Change) async throws -> Own {
        let now = store.now()
        let pausings = [(DataType.Group.health, change.health), (.position, change.position)]
        var faults = Faults()
        for case (let group, let pausing?) in pausings {
            faults.gather { () throws(Refusal) in try Self.check(pausing, "/\(group)", at: now) }
        }
        if let types = change.excludedTypes, Set(types).count != types.count {
            faults.add(.invalid("/excluded_types", "Each type of data is named once."))
        }
        try faults.check()
        try await store.transaction { transaction in
            let version = try await Store.requiredVersion(of: account, in: transaction)
            for case (let group, let pausing?) in pausings {
                try await set(group, pausing, of: account, at: now, in: transaction)
            }
            try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
            if let types = change.excludedTypes {
                try await exclude(types, of: account, version: version, in: transaction)
            }
        }
        return try await own(account)
    }

    private static func check(_ pausing: Change.Pausing, _ pointer: String, at now: Timestamp) throws(Refusal) {
        guard let until = pausing.until else { return }
        guard pausing.isPaused else { throw .invalid("\(pointer)/until", "Only a pause has an end.") }
        guard until > now, until <= now + pauseMax else {
            throw .invalid("\(pointer)/until", "A pause that ends by itself ends within 30 days, or leave this out.")
        }
    }

    private func set(
        _ group: DataType.Group, _ pausing: Change.Pausing, of account: UUID, at now: Timestamp,
        in transaction: Transaction
    ) async throws {
        guard pausing.isPaused else {
            try await transaction.execute(
                "delete from collection_pause where account = \(account) and kind = \(group.rawValue)")
            return
        }
        // Ingestion keeps each pause for good, since devices send late: so nobody begins as many as a program could.
        let isBegun = try await transaction.queryOne(
            """
            insert into collection_pause as p (account, kind, paused_at, until)
            values (\(account), \(group.rawValue), \(now), \(pausing.until))
            on conflict on constraint collection_pause_key do update set until = excluded.until
            returning xmax = 0
            """, as: Bool.self)
        guard isBegun == true else { return }
        let count = try await transaction.queryOne(
            """
            update person set
              pauses_begun = case when pauses_counted_at > \(now - Self.beginningTime) and pauses_counted_at <= \(now)
                then pauses_begun + 1 else 1 end,
              pauses_counted_at = case when pauses_counted_at > \(now - Self.beginningTime) and pauses_counted_at <= \(now)
                then pauses_counted_at else \(now) end
            where account = \(account) returning pauses_begun
            """, as: Int32.self)
        guard count ?? 0 <= Self.beginningMax else {
            throw Refusal(
                .tooManyTries, "too-many-changes", "Collection was paused too often today.",
                retryAfter: Self.beginningTime)
        }
    }

    /// Tells ingestion anew what each device may provide.
    private func exclude(
        _ types: [DataType], of account: UUID, version: Int64, in transaction: Transaction
    ) async throws {
        let excluded = DataType.toStore(types)
        try await transaction.execute("update person set excluded_types = \(excluded) where account = \(account)")
        let devices = try await transaction.query(
            "select id, data_types from device where account = \(account)", as: UUID.self, [Int16].self)
        let events = try devices.map { device, provided in
            try AccountFeeds.device(
                .init(
                    deviceID: device, accountID: account,
                    dataTypes: try DataType.stored(provided.filter { !excluded.contains($0) }), isRemoved: false),
                version: version)
        }
        try await store.feeds.publish(events, in: transaction)
    }

    /// The groups of which nothing is collected, of each of these people that has any: paused, or not consented to.
    static func paused(of accounts: [UUID], in session: some SQLSession) async throws(PostgresError) -> [UUID: [String]]
    {
        let consents = try await Consents.read(of: accounts, in: session)
        let rows = try await session.query(
            "select account, kind from collection_pause where account = any(\(accounts))", as: UUID.self, String.self)
        let pauses = Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
        var paused: [UUID: [String]] = [:]
        for account in accounts {
            let groups = Set((consents[account] ?? .none).paused).union(pauses[account] ?? [])
            paused[account] = groups.sorted()
        }
        return paused
    }

    /// Ends the pauses whose time has come, and tells the people.
    func resumeDue() async throws {
        while try await resumeBatch() == Self.batchMax {}
    }

    private func resumeBatch() async throws -> Int {
        let now = store.now()
        let due = try await store.database.query(
            "select account, kind from collection_pause where until <= \(now) order by until limit \(Self.batchMax)",
            as: UUID.self, String.self)
        for (account, kind) in due {
            try await store.transaction { transaction in
                guard let version = try await Store.nextVersion(of: account, in: transaction) else { return }
                let ended = try await transaction.execute(
                    "delete from collection_pause where account = \(account) and kind = \(kind) and until <= \(now)")
                guard ended == 1 else { return }
                try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
                try await Inbox.put(
                    MessageCatalogue.collectionResumed, ["group": kind], id: .timeOrdered(at: now), to: account,
                    email: false, store: store, in: transaction)
            }
        }
        return due.count
    }
}
