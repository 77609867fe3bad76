import Primitives

/// The shards of the service, and who is in which.
final class Shards: Sendable {
    let all: [Shard]

    /// - Precondition: there is one.
    init(_ all: [Shard]) {
        precondition(!all.isEmpty, "no shards")
        self.all = all
    }

    /// The shard of a person.
    func shard(of account: UUID) async throws -> Shard { all[0] }
}
