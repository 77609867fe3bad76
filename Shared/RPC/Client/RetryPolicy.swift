public import Reactor

/// When a client calls again by itself: only what is idempotent or was certainly never sent, only after a failure that
/// may pass, and only within the caller's deadline.
public struct RetryPolicy: Sendable {
    /// Tries in all, the first one included.
    public var attemptsMax: Int
    /// Between one try and the next.
    public var pause: BackOff
    /// Retries per first call, over time.
    public var ratio: Double
    /// Retries that may come in a row before the ratio holds them back.
    public var burstMax: Int

    public init(
        attemptsMax: Int = 3, pause: BackOff = BackOff(base: .milliseconds(20), max: .milliseconds(500)),
        ratio: Double = 0.1, burstMax: Int = 10
    ) {
        self.attemptsMax = attemptsMax
        self.pause = pause
        self.ratio = ratio
        self.burstMax = burstMax
    }

    /// How long to wait before the next try; `nil` when there must not be one.
    func delay(
        after failure: CallFailure, attempt: Int, isIdempotent: Bool, remaining: Duration, random: Double
    ) -> Duration? {
        guard attempt < attemptsMax, failure.error.isRetryable, isIdempotent || !failure.wasSent else { return nil }
        let delay = pause.delay(afterFailures: attempt, random: random)
        return delay < remaining ? delay : nil
    }
}

/// Why a call failed, and whether any byte of it may have reached the server.
struct CallFailure: Error, Equatable {
    let error: RPCError
    let wasSent: Bool
}
