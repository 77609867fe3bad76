import Glibc
import ProcessTesting
import Reactor
import Testing

/// The scripts of `deploy/`, function by function.
@Suite struct DeployScriptTests {
    private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy"

    /// What a script says that has all of `deploy/lib` at hand, after "failed: " when it fails.
    private func output(_ script: String) async throws -> String {
        let folder = Self.folder
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let whole = """
                    set -euo pipefail
                    for part in messages children layout packages checks cluster databases config; do
                        source \(folder)/lib/$part.sh
                    done
                    STATE=\(directory.path)
                    \(script)
                    """
                let output = directory.file("output")
                do {
                    try await ChildProcess.run(["bash", "-c", whole], output: output)
                    return try directory.read("output")
                } catch {
                    return "failed: " + (try directory.read("output"))
                }
            }
        }
    }

    @Test("NFR-03: a private PostgreSQL listens on no port, and services reach it by its socket")
    func sockets() async throws {
        let settings = try await output(
            """
            CLUSTER_DATA=$STATE; CLUSTER_SOCKETS=/run/here; CLUSTER_CONNECTIONS_MAX=10; chown() { :; }
            cluster_configure; cat $STATE/trackme.conf
            """)
        #expect(settings.contains("\nlisten_addresses = ''\n"))
        #expect(settings.contains("\nunix_socket_directories = '/run/here'\n"))
        let configuration = try await output(
            """
            CLUSTER_SOCKETS=/run/here; layout_use checkout /files /data
            for service in "${SERVICES[@]}"; do service_configuration $service; done
            """)
        #expect(configuration.split(separator: #""hosts": ["/run/here:5432"]"#).count == 8)
        #expect(configuration.split(separator: #""hosts""#).count == 8)
    }

    @Test("NFR-03: no port of a suite in a checkout lies among those that kernels give to outgoing connections")
    func ports() async throws {
        let text = try await output(
            """
            for PORT_SHIFT in 0 11000; do
                for service in "${SERVICES[@]}"; do
                    public_port $service; echo; internal_port $service; echo; operators_port $service; echo
                done
                hook_port; echo
            done
            """)
        let ports = text.split(separator: "\n").compactMap { Int($0) }
        #expect(ports.count == 32)
        // Linux gives out 32768 to 60999 unless told otherwise.
        for port in ports { #expect(port > 1024 && port < 32_768) }
    }

    @Test("NFR-03: a port that a client's connection could hold is refused, and who holds one is said")
    func holders() async throws {
        let ephemeral = try await output(
            "read -r first last </proc/sys/net/ipv4/ip_local_port_range; check_port $last 'the test'")
        #expect(ephemeral.hasPrefix("failed: ") && ephemeral.contains("that the kernel gives to outgoing connections"))
        let port = try Ports.free()
        #expect(try await output("check_port \(port) 'the test'; echo free") == "free\n")
        // Held by a socket that nobody listens at.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(bind(descriptor, port: port) == 0 && listen(descriptor, 1) == 0)
        let listening = try await output("check_port \(port) 'the test'")
        #expect(listening.contains("held by process \(getpid()) ("))
        #expect(!listening.contains("near end"))
        // The far end of a connection is on the port; its near end stays there when nobody listens any more.
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        let own = try Ports.free()
        #expect(bind(client, port: own) == 0 && connect(client, port: port) == 0)
        let connected = try await output("check_port \(own) 'the test'")
        #expect(connected.contains("held by process \(getpid()) ("))
        #expect(connected.contains("as the near end of a connection"))
    }

    @Test("ING-10: what a population takes on disk is said without the log, for each person")
    func size() async throws {
        let text = try await output(
            """
            CLUSTER_DATA=$STATE/data; mkdir -p $CLUSTER_DATA/base $CLUSTER_DATA/pg_wal
            head -c 6000000 /dev/urandom >$CLUSTER_DATA/base/1; head -c 9000000 /dev/urandom >$CLUSTER_DATA/pg_wal/1
            sync -f $CLUSTER_DATA; cluster_size 1000
            """)
        #expect(text.hasPrefix("15 MB on disk, of which 9 MB write-ahead log; without it "), "\(text)")
        let each = text.split(separator: " ").compactMap { Int($0) }.last ?? 0
        #expect((6000...6200).contains(each), "\(text)")
    }

    private func bind(_ descriptor: Int32, port: UInt16) -> Int32 {
        withAddress(port) { Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }

    private func connect(_ descriptor: Int32, port: UInt16) -> Int32 {
        withAddress(port) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }

    private func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
