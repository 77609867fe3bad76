import Postgres
import Primitives
import Security
import Service

/// Keys of incidents' own, under random numbers.
struct NewKeys: Sendable {
    let keys: [(number: UUID, key: SubjectKey)]
    private let store: SubjectKeys

    init(_ count: Int, _ store: SubjectKeys) async throws {
        let numbers = (0..<count).map { _ in UUID.random() }
        let made = try await store.make(for: numbers)
        keys = try numbers.map { ($0, try made.key(of: $0)) }
        self.store = store
    }

    /// `write` stores what they seal, and returns those that are used; the others have sealed nothing and go. They stay when it is not
    /// known whether it was stored.
    func used(_ write: () async throws -> [UUID]) async throws {
        let all = Set(keys.map(\.number))
        let unused: Set<UUID>
        do { unused = all.subtracting(try await write()) } catch let error as PostgresError {
            if case .outcomeUnknown = error { throw error }
            if !all.isEmpty { try await store.discard(all) }
            throw error
        }
        if !unused.isEmpty { try await store.discard(unused) }
    }
}
