import Glibc

/// The signals that a service heeds. They are blocked in all threads and taken by one that waits for them, so that
/// nothing runs in a signal handler.
enum StopSignals {
    enum Received {
        case stop(Int32)
        case reload
        /// This process itself says that there is nothing to wait for any more.
        case over
    }

    /// To be called before any other thread is started: threads inherit what is blocked.
    static func block() {
        var signals = all
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks the calling thread until one comes.
    static func wait() -> Received {
        var signals = all
        var number: Int32 = 0
        // Fails only for an invalid set.
        guard sigwait(&signals, &number) == 0 else { return .over }
        switch number {
        case SIGHUP: return .reload
        case SIGUSR1: return .over
        default: return .stop(number)
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
