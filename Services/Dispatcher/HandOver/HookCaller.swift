import HTTP
import Primitives
import Reactor
import Service

/// What calls hooks: `HookCaller`, and hooks that are simulated.
protocol HookCalling: Sendable {
    /// Returns when the hook has answered 2xx: it has received the message, which is of the hook's form.
    func call(_ hook: Hook, id: String, body: [UInt8], deadline: Deadline) async throws(HookCaller.Failure)
}

/// Calls hooks: signed POSTs (Standard Webhooks) over connections that are kept.
final class HookCaller: HookCalling {
    typealias Failure = SignedCaller.Failure

    static let connectionsPerHookMax = 64
    static let idleMax = Duration.seconds(600)
    static let responseBytesMax = 64 * 1024

    private let caller: SignedCaller

    /// `tls` verifies the hooks' certificates.
    init(loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionsPerOriginMax = Self.connectionsPerHookMax
        configuration.idleMax = Self.idleMax
        configuration.responseBytesMax = Self.responseBytesMax
        caller = SignedCaller(
            "TrackMe-AutomatedSOS/1", loops: loops, tls: tls, clock: clock, configuration: configuration)
    }

    /// The loops that it keeps connections on.
    var loops: [EventLoop] { caller.loops }

    func call(_ hook: Hook, id: String, body: [UInt8], deadline: Deadline) async throws(Failure) {
        _ = try await caller.call(
            .init(url: hook.url, secrets: hook.secrets, allowsPrivate: hook.allowsPrivate), id: id, body: body,
            hook.form.contentType, deadline: deadline)
    }

    func close() { caller.close() }
}
