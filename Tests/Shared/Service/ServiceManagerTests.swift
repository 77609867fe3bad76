import Glibc
@testable import Service
import Testing

@Suite struct ServiceManagerTests {
    /// A socket that hears what `body` tells the service manager.
    private func heard(at path: String, _ body: (ServiceManager) -> Void) throws -> [String] {
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
        body(ServiceManager(socketPath: path))
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 128)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return all }
            all.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }

    @Test("NFR-10: the states are told to systemd as datagrams, on a path or an abstract name")
    func notify() async throws {
        try await TestFiles.with { files in
            for path in [files.path("notify"), "@trackme-test-\(getpid())"] {
                let told = try heard(at: path) { manager in
                    manager.ready()
                    manager.reloading()
                    manager.alive()
                    manager.stopping()
                }
                #expect(told.count == 4)
                #expect(told.first == "READY=1" && told.dropFirst(2) == ["WATCHDOG=1", "STOPPING=1"])
                let lines = try #require(told.dropFirst().first).split(separator: "\n")
                #expect(lines.first == "RELOADING=1")
                #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true && lines.count == 2)
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
