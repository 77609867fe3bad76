import Postgres
import Primitives
import Reactor
import Security
import Synchronization

/// A cache of people's unwrapped keys. A key is made when the person's first sample comes.
final class SubjectKeys: Sendable {
    /// Keys of one of the two generations of the cache, about 200 bytes each.
    static let entriesMax = 50_000
    /// How long a generation lasts. A key that another replica has destroyed is dropped here after twice this time at
    /// the latest.
    static let generationTime = Duration.seconds(150)
    /// Keys that are looked up or made together.
    static let togetherMax = 200
    static let waitingMax = 10_000

    private struct Cache {
        var young: [UUID: SubjectKey] = [:]
        var old: [UUID: SubjectKey] = [:]
        var end = Deadline.after(generationTime)
    }

    private let store: KeyStore
    private let cipher: FieldCipher
    private let cache = Mutex(Cache())
    private let making: GroupCommit<UUID, SubjectKey?>

    init(store: KeyStore, cipher: FieldCipher) {
        self.store = store
        self.cipher = cipher
        let cipher = cipher
        making = GroupCommit(itemsMax: Self.togetherMax, waitingMax: Self.waitingMax) { accounts in
            try await Self.made(Set(accounts), store, cipher).outcomes(of: accounts)
        }
    }

    /// The key of a person, made if there is none; `nil` when it was destroyed.
    func key(of account: UUID) async throws -> SubjectKey? {
        if let known = cached(account) { return known }
        guard let key = try await making.submit(account) else { return nil }
        insert(key, account)
        return key
    }

    /// The keys of those who have one that was not destroyed. Fails when one of them cannot be unwrapped.
    func existingKeys(of accounts: some Sequence<UUID>) async throws -> [UUID: SubjectKey] {
        try await unwrappedKeys(of: accounts).mapValues { try $0.get() }
    }

    /// The same, or for each key that cannot be unwrapped the reason.
    func unwrappedKeys(
        of accounts: some Sequence<UUID>
    ) async throws -> [UUID: Result<SubjectKey, SecurityError>] {
        var keys: [UUID: Result<SubjectKey, SecurityError>] = [:]
        var missing: Set<UUID> = []
        for account in accounts {
            if let key = cached(account) { keys[account] = .success(key) } else { missing.insert(account) }
        }
        guard !missing.isEmpty else { return keys }
        for (account, stored) in try await store.keys(of: Array(missing), adding: [:]) {
            guard case .wrapped(let wrapped) = stored else { continue }
            do throws(SecurityError) {
                let key = try SubjectKey(unwrapping: wrapped, of: account, with: cipher)
                insert(key, account)
                keys[account] = .success(key)
            } catch { keys[account] = .failure(error) }
        }
        return keys
    }

    /// Destroys the person's key: everything sealed with it is unreadable for ever (ACC-12).
    func destroy(_ account: UUID) async throws {
        try await store.destroy(account)
        forget(account)
    }

    private func forget(_ account: UUID) {
        cache.withLock { cache in
            cache.young[account] = nil
            cache.old[account] = nil
        }
    }

    private func cached(_ account: UUID) -> SubjectKey? {
        cache.withLock { cache in
            Self.age(&cache)
            if let key = cache.young[account] { return key }
            return cache.old[account]
        }
    }

    private func insert(_ key: SubjectKey, _ account: UUID) {
        cache.withLock { cache in
            Self.age(&cache)
            cache.young[account] = key
        }
    }

    private static func age(_ cache: inout Cache) {
        guard cache.young.count >= entriesMax || cache.end.hasPassed else { return }
        cache.old = cache.young
        cache.young = [:]
        cache.end = .after(generationTime)
    }

    private static func made(
        _ accounts: Set<UUID>, _ store: KeyStore, _ cipher: FieldCipher
    ) async throws -> [UUID: SubjectKey] {
        var found = try await store.keys(of: Array(accounts), adding: [:])
        let new = accounts.filter { found[$0] == nil }
        if !new.isEmpty {
            let wrapped = Dictionary(
                uniqueKeysWithValues: new.map { ($0, SubjectKey.random().wrapped(of: $0, with: cipher)) })
            found.merge(try await store.keys(of: Array(new), adding: wrapped)) { $1 }
        }
        var keys: [UUID: SubjectKey] = [:]
        for (account, stored) in found {
            guard case .wrapped(let wrapped) = stored else { continue }
            keys[account] = try SubjectKey(unwrapping: wrapped, of: account, with: cipher)
        }
        return keys
    }
}

extension [UUID: SubjectKey] {
    fileprivate func outcomes(of accounts: [UUID]) -> [SubjectKey?] { accounts.map { self[$0] } }
}
