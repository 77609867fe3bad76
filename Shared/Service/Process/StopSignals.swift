import Glibc

/// The signals that a service handles. They are blocked in all threads and taken by one that waits for them, so that
/// nothing runs in a signal handler.
enum StopSignals {
    enum Received {
        case stop(Int32)
        case reload
        /// This process has nothing to wait for any more.
        case over
        /// None came in time.
        case none
    }

    /// To be called before any other thread is started: threads inherit what is blocked.
    static func block() {
        var signals = all
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks the calling thread until one comes, or `limit` is over.
    static func wait(_ limit: Duration) -> Received {
        var signals = all
        var time = timespec()
        time.tv_sec = Int(limit.components.seconds)
        time.tv_nsec = Int(limit.components.attoseconds / 1_000_000_000)
        switch sigtimedwait(&signals, nil, &time) {
        // EAGAIN; or another signal, such as one that stops and continues the process.
        case -1: return .none
        case SIGHUP: return .reload
        case SIGUSR1: return .over
        case let number: return .stop(number)
        }
    }

    /// Wakes `wait`.
    static func sayOver() { kill(getpid(), SIGUSR1) }

    private static var all: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { sigaddset(&signals, number) }
        return signals
    }
}
