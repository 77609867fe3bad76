import Glibc
import Synchronization

/// Ports that nobody listens at, each given once in this process: between the asking and the listening another test may ask.
public enum Ports {
    private static let given = Mutex<Set<UInt16>>([])

    /// Below those that the kernel gives out, so that no outgoing connection takes one meanwhile.
    private static let range: ClosedRange<UInt16> = 20_000...32_000

    public static func free() throws(ProcessFailure) -> UInt16 {
        for _ in 0..<200 {
            let port = UInt16.random(in: range)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw ProcessFailure("socket: \(errno)") }
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if bound == 0 { return port }
        }
        throw ProcessFailure("no free port")
    }
}
