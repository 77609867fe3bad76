import Glibc
@testable import Service
import Testing

@Suite struct ServiceManagerTests {
    @Test("NFR-10: readiness is told to systemd as a datagram, on a path or an abstract name")
    func notify() async throws {
        try await TestFiles.with { files in
            for path in [files.path("notify"), "@trackme-test-\(getpid())"] {
                let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
                try #require(descriptor >= 0)
                defer { close(descriptor) }
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                var bytes = Array(path.utf8)
                if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
                let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
                let isBound = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
                }
                try #require(isBound)
                ServiceManager(socketPath: path).ready()
                var buffer = [UInt8](repeating: 0, count: 64)
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
            }
        }
    }

    @Test("without a socket, or with one that is gone, nothing happens")
    func absent() {
        #expect(!ServiceManager(socketPath: nil).send("READY=1"))
        #expect(!ServiceManager(socketPath: "/nowhere/notify").send("READY=1"))
        #expect(!ServiceManager(socketPath: "relative").send("READY=1"))
    }
}
