import Contracts
import LoadGenerator
import Primitives
import Reactor
import Security
import SuiteClient

/// `trackme-simulator load`: many people's watches that upload at a rate, and what the service makes of it.
struct Load {
    struct Options: Sendable {
        var people = 1000
        /// Uploads per second; `nil`: as many as the service takes.
        var rate: Double?
        var seconds = 10.0
        var connections = 256
        /// Processes whose processor time is told, by name.
        var processes: [(name: String, id: Int32)] = []
    }

    static let seed: UInt64 = 0x10ad
    /// In which everybody's token and key become known; not measured.
    private static let firstRequestsMax = 2_000_000

    let configuration: SuiteConfiguration
    let options: Options

    func run() async throws {
        let (configuration, options) = (configuration, options)
        // A thread of its own: it is busy for as long as the load lasts.
        let outcome = try await BlockingPool.shared.run { Result { try Self.measure(configuration, options) } }
        for line in try outcome.get() { Output.line(line) }
    }

    private static func measure(_ configuration: SuiteConfiguration, _ options: Options) throws -> [String] {
        guard let file = configuration.signingKeyFile else {
            throw SuiteError.local("simulator.json names no signing_key_file: without it nobody's tokens can be made.")
        }
        let address = try address(configuration)
        let tokens = try DeviceTokens(
            of: .device, count: options.people, seed: seed, key: SigningKeyRing.load(file).current)
        try tokens.makeAll()
        let source = UploadSource(
            .live, of: 0..<options.people, tokens: tokens, host: "\(address.host):\(address.port)")
        let runner = try LoadRunner(
            host: address.host, port: address.port, connections: min(options.connections, options.people),
            source: source)
        let first = try runner.run(.closed, for: .requests(min(options.people, firstRequestsMax)))
        let before = try options.processes.map { try ProcessorTime(of: $0.id) }
        let idleBefore = ProcessorTime.idleSeconds()
        let result = try runner.run(options.rate.map { .open(rate: $0) } ?? .closed, for: .seconds(options.seconds))
        let idle = ProcessorTime.idleSeconds() - idleBefore
        var lines = ["first uploads: \(Self.rounded(first.rate)) /s" + Self.refusals(first)]
        lines.append(
            "\(result.good) uploads of \(source.samplesEach) samples in \(Self.rounded(result.seconds)) s: "
                + "\(Self.rounded(result.rate)) /s" + Self.refusals(result))
        let shares = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)]
        lines.append(
            "latency: "
                + shares.map { "\($0) \(Self.rounded(result.latency.percentile($1) / 1000)) ms" }
                .joined(separator: ", "))
        for (process, time) in zip(options.processes, before) {
            let used = try ProcessorTime(of: process.id) - time
            lines.append(
                "processor time of \(process.name): \(Self.rounded(used * 1e6 / Double(max(1, result.good)))) µs per upload"
            )
        }
        lines.append("idle: \(Self.rounded(idle / result.seconds)) cores")
        return lines
    }

    private static func address(_ configuration: SuiteConfiguration) throws -> (host: String, port: UInt16) {
        guard let url = configuration.public[ServiceName.ingestion.rawValue], url.hasPrefix("http://"),
            let endpoint = Endpoint(String(url.dropFirst(7)))
        else { throw SuiteError.local("simulator.json has no plain HTTP address of the ingestion service.") }
        return (endpoint.host, endpoint.port)
    }

    private static func refusals(_ result: LoadResult) -> String {
        var text = ""
        for (status, count) in result.refused.sorted(by: { $0.key < $1.key }) {
            text += ", \(count) refused with \(status)"
        }
        if result.broken > 0 { text += ", \(result.broken) lost with their connection" }
        if result.unsent > 0 { text += ", \(result.unsent) not sent in time" }
        return result.example.isEmpty ? text : text + "; the first refusal: \(result.example)"
    }

    /// Three significant digits.
    private static func rounded(_ value: Double) -> String {
        var scale = 1.0
        while value * scale < 100, scale < 1e6, value > 0 { scale *= 10 }
        let text = (value * scale).rounded() / scale
        return text >= 100 ? "\(Int(text))" : "\(text)"
    }
}
