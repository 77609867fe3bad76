import Primitives
import Synchronization

/// What all loops of a server together have left for buffered bodies: `bufferedBodyBytesMax` less what is held. An
/// account and a client's network each get a share, so that one client leaves room for others.
final class BodyMemory: Sendable {
    /// Whose bodies are counted together.
    enum Holder: Hashable {
        case account(UUID)
        case network([UInt8])
    }

    enum Outcome: Equatable {
        case reserved
        /// Nothing is left for anybody.
        case full
        /// One of the holders has its share already.
        case shareTaken
    }

    private struct State {
        var left: Int
        var held: [Holder: Int] = [:]
    }

    private let accountBytesMax: Int
    private let networkBytesMax: Int
    private let state: Mutex<State>

    init(_ configuration: HTTPServerConfiguration) {
        accountBytesMax = configuration.bufferedBodyBytesPerAccountMax
        networkBytesMax = configuration.bufferedBodyBytesPerNetworkMax
        state = Mutex(State(left: configuration.bufferedBodyBytesMax))
    }

    /// Reserves so many more bytes, which are to be given back by `release` with the same holders.
    func reserve(_ bytes: Int, for holders: [Holder]) -> Outcome {
        state.withLock { state in
            for holder in holders where state.held[holder, default: 0] + bytes > share(of: holder) {
                return .shareTaken
            }
            guard bytes <= state.left else { return .full }
            state.left -= bytes
            for holder in holders { state.held[holder, default: 0] += bytes }
            return .reserved
        }
    }

    func release(_ bytes: Int, for holders: [Holder]) {
        state.withLock { state in
            state.left += bytes
            for holder in holders {
                let left = state.held[holder, default: 0] - bytes
                state.held[holder] = left > 0 ? left : nil
            }
        }
    }

    private func share(of holder: Holder) -> Int {
        switch holder {
        case .account: accountBytesMax
        case .network: networkBytesMax
        }
    }
}
