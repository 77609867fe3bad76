import Glibc

/// Reports the service's state to systemd (sd_notify(3)); no effect without `NOTIFY_SOCKET`.
struct ServiceManager: Sendable {
    private static let pathBytesMax = 107
    private let path: [UInt8]?
    /// Time without a watchdog message after which systemd kills the process and starts it again; `nil` when it does
    /// not watch.
    let watchdog: Duration?

    /// A path, or a name in the abstract namespace after `@`.
    init(socketPath: String?, watchdog: Duration? = nil) {
        self.watchdog = watchdog
        guard let bytes = socketPath.map({ Array($0.utf8) }), (2...Self.pathBytesMax).contains(bytes.count),
            bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@")
        else {
            path = nil
            return
        }
        path = bytes[0] == UInt8(ascii: "@") ? [0] + bytes.dropFirst() : bytes
    }

    static func fromEnvironment() -> ServiceManager {
        let isForThisProcess = value("WATCHDOG_PID").flatMap { Int32($0) }.map { $0 == getpid() } ?? true
        let microseconds = value("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        return ServiceManager(
            socketPath: value("NOTIFY_SOCKET"),
            watchdog: isForThisProcess && microseconds > 0 ? .microseconds(microseconds) : nil)
    }

    private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    func ready() { send("READY=1") }
    /// To be followed by `ready`. The time, on the monotonic clock, distinguishes it from an older reload (systemd
    /// 253).
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
    }
    func stopping() { send("STOPPING=1") }
    /// Sends the watchdog message.
    func alive() { send("WATCHDOG=1") }

    /// False when it could not be sent; the service goes on without.
    @discardableResult
    func send(_ state: String) -> Bool {
        guard let path else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array(state.utf8)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), address, length) == message.count
            }
        }
    }
}
