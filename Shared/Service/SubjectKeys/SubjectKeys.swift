public import Postgres
public import Primitives
public import Reactor
public import Security
import Synchronization

/// A cache of people's unwrapped keys. A key is made when something of the person is sealed first, and is in memory for as long as
/// it is used: while the key store is away, what is of these people is stored and read as ever.
///
/// Who is erased is known by the service's own rows, which those who use a key check; they drop it then. So a key that another
/// replica has destroyed is not used, and is dropped when it has not been asked for during two generations, too.
///
/// A destroyed key leaves its row (`KeyStore.Stored`). Where there is none although something is sealed with it, the key store has lost
/// it: another one in its place would hide that, and what is there would never be read again. A service that makes keys when they are
/// first needed looks for such people (`SealedRows`); one that makes them with the account asks for existing ones later.
public final class SubjectKeys: Sendable {
    /// Keys in memory unless said otherwise, about 200 bytes each.
    public static let peopleMaxDefault = 1_000_000
    /// How long a generation lasts. A key that nobody asks for is dropped after twice this time at the latest.
    public static let generationTime = Duration.seconds(150)
    /// How long `keysAtHand` waits for the key store …
    static let lookUpTime = Duration.milliseconds(200)
    /// … and how long it does not ask after that has failed.
    static let awayPause = Duration.seconds(2)
    /// Keys that are looked up or made together.
    static let togetherMax = 200
    static let waitingMax = 10_000
    /// Keys that `madeKeySet` makes with one statement.
    private static let madeMax = 1000

    /// What all shards of a process have in common.
    private final class Memory: Sendable {
        struct Cache {
            var keys: GenerationCache<UUID, SubjectKey>
            var end: Deadline
        }

        let cache: Mutex<Cache>
        /// While the key store is taken to be away.
        let awayUntil = Mutex<Deadline?>(nil)

        init(_ cache: consuming Cache) { self.cache = Mutex(cache) }
    }

    /// The key store did not answer a moment ago.
    public struct StoreAway: Error {}

    /// Whether a failure of `keysAtHand` is the key store's, and passes.
    public static func isAway(_ error: any Error) -> Bool { error is StoreAway || error is PostgresError }

    public let store: KeyStore
    public let cipher: FieldCipher
    private let generationTime: Duration
    private let now: @Sendable () -> Deadline
    private let memory: Memory
    private let sealed: SealedRows?
    private let making: GroupCommit<UUID, Result<SubjectKey, any Error>?>

    public convenience init(
        store: KeyStore, cipher: FieldCipher, peopleMax: Int = peopleMaxDefault,
        generationTime: Duration = SubjectKeys.generationTime,
        now: @escaping @Sendable () -> Deadline = { Deadline.now() }
    ) {
        let cache = Memory.Cache(
            keys: GenerationCache(entriesMax: peopleMax), end: now().advanced(by: generationTime))
        self.init(store, cipher, generationTime, now, Memory(cache), nil)
    }

    private init(
        _ store: KeyStore, _ cipher: FieldCipher, _ generationTime: Duration, _ now: @escaping @Sendable () -> Deadline,
        _ memory: Memory, _ sealed: SealedRows?
    ) {
        self.store = store
        self.cipher = cipher
        self.generationTime = generationTime
        self.now = now
        self.memory = memory
        self.sealed = sealed
        making = GroupCommit(itemsMax: Self.togetherMax, waitingMax: Self.waitingMax) { accounts in
            let made = try await Self.made(Set(accounts), store, cipher, sealed)
            return accounts.map { made[$0] }
        }
    }

    /// The same keys; none is made for those of whom something is sealed.
    public func keys(except sealed: SealedRows) -> SubjectKeys {
        SubjectKeys(store, cipher, generationTime, now, memory, sealed)
    }

    /// The key of a person, made if there is none; `nil` when it was destroyed. Errors: `KeyMissing`.
    public func key(of account: UUID) async throws -> SubjectKey? {
        if let known = cached(account) { return known }
        guard let key = try await making.submit(account)?.get() else { return nil }
        insert(key, account)
        return key
    }

    /// The keys of these people, made where there is none; those that were destroyed or are lost are missing. Fails when one of
    /// them cannot be unwrapped.
    public func keys(of accounts: some Sequence<UUID>) async throws -> [UUID: SubjectKey] {
        var (keys, missing) = cached(accounts)
        var rest = Array(missing)[...]
        while !rest.isEmpty {
            let together = Set(rest.prefix(Self.togetherMax))
            rest = rest.dropFirst(Self.togetherMax)
            for (account, key) in try await Self.made(together, store, cipher, sealed) {
                if case .failure(let error) = key, error is KeyMissing { continue }
                keys[account] = try key.get()
            }
        }
        return keys
    }

    /// The key of a person of whom something is sealed; `nil` when it was destroyed. Errors: `KeyMissing`, `SecurityError`.
    public func existingKey(of account: UUID) async throws -> SubjectKey? {
        if let known = cached(account) { return known }
        guard let stored = try await store.keys(of: [account], adding: [:])[account] else { throw KeyMissing() }
        return try remembering([account: stored])[account]?.get()
    }

    /// The keys of those who have one that was not destroyed. Fails when one of them cannot be unwrapped.
    public func existingKeys(of accounts: some Sequence<UUID>) async throws -> [UUID: SubjectKey] {
        try await unwrappedKeys(of: accounts).mapValues { try $0.get() }
    }

    /// The same, or for each key that cannot be unwrapped the reason.
    public func unwrappedKeys(
        of accounts: some Sequence<UUID>
    ) async throws -> [UUID: Result<SubjectKey, SecurityError>] {
        let (known, missing) = cached(accounts)
        var keys = known.mapValues { Result<SubjectKey, SecurityError>.success($0) }
        guard !missing.isEmpty else { return keys }
        keys.merge(remembering(try await store.keys(of: Array(missing), adding: [:]))) { $1 }
        return keys
    }

    /// The same for a reader of many people's samples, whom nobody's key may hold up: a key that cannot be had now is a
    /// failure of its own, and `KeyMissing` one that is lost or was never made. Those that were destroyed are missing. Waits for the key
    /// store for `lookUpTime` at most.
    public func keysAtHand(of accounts: some Sequence<UUID>) async -> [UUID: Result<SubjectKey, any Error>] {
        let (known, missing) = cached(accounts)
        var keys = known.mapValues { Result<SubjectKey, any Error>.success($0) }
        guard !missing.isEmpty else { return keys }
        do {
            if memory.awayUntil.withLock({ $0.map { !$0.hasPassed } ?? false }) { throw StoreAway() }
            let stored = try await store.keys(
                of: Array(missing), adding: [:], deadline: .after(Self.lookUpTime))
            for account in missing where stored[account] == nil { keys[account] = .failure(KeyMissing()) }
            for (account, key) in remembering(stored) { keys[account] = key.mapError { $0 as any Error } }
            memory.awayUntil.withLock { $0 = nil }
        } catch {
            if !(error is StoreAway) { memory.awayUntil.withLock { $0 = .after(Self.awayPause) } }
            for account in missing { keys[account] = .failure(error) }
        }
        return keys
    }

    /// The same as a set.
    public func keySetAtHand(of accounts: some Sequence<UUID>) async -> SubjectKeySet {
        SubjectKeySet(await keysAtHand(of: accounts))
    }

    /// Keeps the keys of these people in memory, also those that nobody asks for. Returns those whose keys are not there.
    public func keep(_ accounts: some Sequence<UUID>) -> Set<UUID> { cached(accounts).missing }

    /// Unwraps keys and keeps them in memory. Leaves out those that were destroyed.
    private func remembering(_ stored: [UUID: KeyStore.Stored]) -> [UUID: Result<SubjectKey, SecurityError>] {
        let keys = Self.unwrapped(stored, cipher)
        for case (let account, .success(let key)) in keys { insert(key, account) }
        return keys
    }

    /// The keys of those who have one that was not destroyed, by one question.
    public func keySet(of accounts: some Sequence<UUID>) async throws -> SubjectKeySet {
        SubjectKeySet(unwrapped: try await unwrappedKeys(of: accounts))
    }

    /// The same, and keys are made where there is none, however many with one statement. A key that is lost is among them as a
    /// failure. `transaction` is one of the database that has what is sealed.
    public func madeKeySet(
        of accounts: some Sequence<UUID>, in transaction: Transaction? = nil
    ) async throws -> SubjectKeySet {
        let (known, missing) = cached(accounts)
        var keys = known.mapValues { Result<SubjectKey, any Error>.success($0) }
        var rest = Array(missing)[...]
        while !rest.isEmpty {
            let made = try await Self.made(
                Set(rest.prefix(Self.madeMax)), store, cipher, sealed, in: transaction)
            rest = rest.dropFirst(Self.madeMax)
            for case (let account, .success(let key)) in made { insert(key, account) }
            keys.merge(made) { $1 }
        }
        return SubjectKeySet(keys)
    }

    /// Makes the keys of new accounts, however many with one statement. Those that there are already stay.
    public func make(for accounts: [UUID]) async throws -> SubjectKeySet {
        guard !accounts.isEmpty else { return SubjectKeySet([:]) }
        return SubjectKeySet(
            unwrapped: remembering(try await store.keys(of: accounts, adding: Self.new(accounts, cipher))))
    }

    /// Drops keys that were made for accounts that did not come about.
    public func discard(_ accounts: some Collection<UUID>) async throws(PostgresError) {
        forget(accounts)
        try await store.remove(accounts)
    }

    /// Destroys people's keys: everything sealed with them is unreadable for ever (ACC-12).
    public func destroy(_ accounts: some Collection<UUID>) async throws(PostgresError) {
        try await store.destroy(accounts)
        forget(accounts)
    }

    /// Call for people who are erased.
    public func forget(_ accounts: some Sequence<UUID>) {
        memory.cache.withLock { cache in
            for account in accounts { cache.keys.remove(account) }
        }
    }

    private func cached(_ accounts: some Sequence<UUID>) -> (keys: [UUID: SubjectKey], missing: Set<UUID>) {
        var (keys, missing): ([UUID: SubjectKey], Set<UUID>) = ([:], [])
        for account in accounts {
            if let key = cached(account) { keys[account] = key } else { missing.insert(account) }
        }
        return (keys, missing)
    }

    private func cached(_ account: UUID) -> SubjectKey? {
        memory.cache.withLock { cache in
            age(&cache)
            return cache.keys[account]
        }
    }

    /// Keeps a key in memory that the key store is not asked for: where people are simulated.
    package func know(_ key: SubjectKey, of account: UUID) { insert(key, account) }

    private func insert(_ key: SubjectKey, _ account: UUID) {
        memory.cache.withLock { cache in
            age(&cache)
            cache.keys.insert(key, for: account)
        }
    }

    private func age(_ cache: inout Memory.Cache) {
        let now = now()
        guard now >= cache.end else { return }
        cache.keys.turn()
        cache.end = now.advanced(by: generationTime)
    }

    private static func made(
        _ accounts: Set<UUID>, _ store: KeyStore, _ cipher: FieldCipher, _ sealed: SealedRows?,
        in transaction: Transaction? = nil
    ) async throws -> [UUID: Result<SubjectKey, any Error>] {
        var found = try await store.keys(of: Array(accounts), adding: [:])
        var new = accounts.filter { found[$0] == nil }
        var lost: Set<UUID> = []
        if !new.isEmpty, let sealed, case let people = try await sealed.among(new, in: transaction), !people.isEmpty {
            // Another process may have made one since, and stored something.
            found.merge(try await store.keys(of: Array(people), adding: [:])) { $1 }
            lost = people.filter { found[$0] == nil }
            if !lost.isEmpty { sealed.report(lost) }
            new.subtract(people)
        }
        if !new.isEmpty {
            found.merge(try await store.keys(of: Array(new), adding: Self.new(new, cipher))) { $1 }
        }
        var keys = unwrapped(found, cipher).mapValues { $0.mapError { $0 as any Error } }
        for account in lost { keys[account] = .failure(KeyMissing()) }
        return keys
    }

    /// Wrapped keys that were never used.
    private static func new(_ accounts: some Collection<UUID>, _ cipher: FieldCipher) -> [UUID: [UInt8]] {
        Dictionary(
            accounts.map { ($0, SubjectKey.random().wrapped(of: $0, with: cipher)) }
        ) { first, _ in first }
    }

    /// Leaves out those that were destroyed.
    private static func unwrapped(
        _ stored: [UUID: KeyStore.Stored], _ cipher: FieldCipher
    ) -> [UUID: Result<SubjectKey, SecurityError>] {
        var keys: [UUID: Result<SubjectKey, SecurityError>] = [:]
        for (account, stored) in stored {
            guard case .wrapped(let wrapped) = stored else { continue }
            keys[account] = Result { () throws(SecurityError) in
                try SubjectKey(unwrapping: wrapped, of: account, with: cipher)
            }
        }
        return keys
    }
}
