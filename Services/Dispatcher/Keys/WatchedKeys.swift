import Postgres
import Primitives
import Reactor
import Service

/// Keeps the keys of everybody who is watched in this replica's memory, so that alarms go on while the key store is away (SOS-05).
///
/// Where a key is not at hand (a replica that has begun without the key store, or somebody who enrolled at another one a moment
/// before) the person's samples are a gap (`GapStore`): they are read once the key is there, and nobody else waits for them.
struct WatchedKeys: Sendable {
    /// Within a generation of the cache, so that none of them is dropped.
    static let interval = Duration.seconds(60)
    /// People who are watched by one deployment at most, about 200 bytes each; the cache keeps at least half of what it may.
    static let peopleMax = 4_000_000
    private static let pageMax: Int64 = 1000

    let keys: SubjectKeys
    let database: Database
    let roster: Roster

    /// One round. Goes on to the end when the key store does not answer: what is in memory stays there. So do, while the database
    /// is away, the keys of those who are in the roster.
    func keep() async throws {
        do { try await keepAll() } catch {
            _ = keys.keep(roster.accounts)
            throw error
        }
    }

    private func keepAll() async throws {
        var last = UUID(high: 0, low: 0)
        var failure: (any Error)?
        while !Task.isCancelled {
            let page = try await database.query(
                """
                select account from enrolment where is_active and account > \(last) order by account limit \(Self.pageMax)
                """, as: UUID.self)
            let missing = keys.keep(page)
            if failure == nil, !missing.isEmpty {
                do { _ = try await keys.unwrappedKeys(of: missing) } catch { failure = error }
            }
            guard page.count == Self.pageMax, let next = page.last else { break }
            last = next
        }
        if let failure { throw failure }
    }
}
