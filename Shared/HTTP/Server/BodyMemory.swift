import Primitives
import Synchronization

/// The memory for buffered bodies that all loops of a server share, at most `bufferedBodyBytesMax`. An account and a
/// client's network each have a share, so that one client leaves room for others.
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

    private struct Limits {
        let bytes: Int
        let accountBytes: Int
        let networkBytes: Int

        init(_ configuration: HTTPServerConfiguration) {
            bytes = configuration.bufferedBodyBytesMax
            accountBytes = configuration.bufferedBodyBytesPerAccountMax
            networkBytes = configuration.bufferedBodyBytesPerNetworkMax
        }

        func share(of holder: Holder) -> Int {
            switch holder {
            case .account: accountBytes
            case .network: networkBytes
            }
        }
    }

    private struct State {
        var limits: Limits
        var taken = 0
        var held: [Holder: Int] = [:]
    }

    private let state: Mutex<State>

    init(_ configuration: HTTPServerConfiguration) {
        state = Mutex(State(limits: Limits(configuration)))
    }

    /// Sets other limits. Bytes held beyond them stay until they are released.
    func update(_ configuration: HTTPServerConfiguration) {
        state.withLock { $0.limits = Limits(configuration) }
    }

    /// Reserves so many more bytes, which are to be given back by `release` with the same holders.
    func reserve(_ bytes: Int, for holders: [Holder]) -> Outcome {
        state.withLock { state in
            for holder in holders where state.held[holder, default: 0] + bytes > state.limits.share(of: holder) {
                return .shareTaken
            }
            guard state.taken + bytes <= state.limits.bytes else { return .full }
            state.taken += bytes
            for holder in holders { state.held[holder, default: 0] += bytes }
            return .reserved
        }
    }

    func release(_ bytes: Int, for holders: [Holder]) {
        state.withLock { state in
            state.taken -= bytes
            for holder in holders {
                let left = state.held[holder, default: 0] - bytes
                state.held[holder] = left > 0 ? left : nil
            }
        }
    }
}
