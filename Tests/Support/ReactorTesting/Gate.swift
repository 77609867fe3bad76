import Glibc
import Synchronization

/// Blocks threads until it is opened, but none for more than a minute.
public final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    public init() {}

    public func open() { isOpen.store(true, ordering: .releasing) }

    public func wait() {
        for _ in 0..<60_000 where !isOpen.load(ordering: .acquiring) { usleep(1000) }
    }
}
