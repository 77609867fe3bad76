import Feed
import Primitives
import RPC
import Reactor
import Synchronization

/// Shards follow the feeds of other services each by itself, with a cursor of its own; to the producer they are one consumer.
/// It is told what all of them have committed, so that nothing is trimmed that one still lacks (for as long as its caps allow).
final class CommonAcknowledgement: Sendable {
    private let count: Int
    /// By shard: what it has committed.
    private let cursors = Mutex<[Int: FeedCursor]>([:])

    /// Of so many shards.
    init(of count: Int) { self.count = count }

    /// What all have committed after one has; `nil` while not all have told theirs.
    func note(_ cursor: FeedCursor?, of shard: Int) -> FeedCursor? {
        let all = cursors.withLock { cursors in
            if let cursor { cursors[shard] = cursor }
            return Array(cursors.values)
        }
        return all.count == count ? FeedCursor.least(of: all) : nil
    }

    /// The producer as one shard asks it.
    struct Caller: RPCCaller {
        let caller: any RPCCaller
        let shard: Int
        let common: CommonAcknowledgement

        func call<M: RPCMethod>(
            _ method: M.Type, _ params: M.Params, deadline: Deadline?
        ) async throws(RPCError) -> M.Result {
            var params = params
            if var read = params as? FeedRead.Params {
                read.acknowledged = common.note(read.acknowledged, of: shard)
                params = read as? M.Params ?? params
            } else if var snapshot = params as? FeedSnapshot.Params {
                // Without parts the producer would take all that came before it as committed, by the other shards as well.
                snapshot.parts = .all
                params = snapshot as? M.Params ?? params
            }
            let answer = try await caller.call(method, params, deadline: deadline)
            // From here on this shard lacks only what comes after.
            if let cursor = (answer as? FeedSnapshot.Result)?.cursor { _ = common.note(cursor, of: shard) }
            return answer
        }
    }
}
