import LoadGenerator
import Reactor
import SuiteClient

/// `trackme-simulator load`: many people's watches that upload at a rate, and what the service makes of it.
struct Load {
    struct Options: Sendable {
        var common = LoadOptions()
        /// Uploads per second; `nil`: as many as the service takes.
        var rate: Double?
        var seconds = 10.0
    }

    private static let connectionsUsual = 256

    let configuration: SuiteConfiguration
    let options: Options

    func run() async throws {
        let (configuration, options) = (configuration, options)
        // A thread of its own: it is busy for as long as the load lasts.
        let outcome = try await BlockingPool.shared.run { Result { try Self.measure(configuration, options) } }
        for line in try outcome.get() { Output.line(line) }
    }

    private static func measure(_ configuration: SuiteConfiguration, _ options: Options) throws -> [String] {
        let (target, common) = (try LoadTarget(configuration), options.common)
        let source = UploadSource(
            .live, of: 0..<common.people, tokens: try target.tokens(common), host: target.host,
            people: common.loadPeople)
        let runner = try target.runner(
            source, connections: min(common.connections ?? connectionsUsual, common.people))
        // In these everybody's token and key become known; they are not measured.
        let first = try runner.run(.closed, for: .requests(common.people))
        let report = try LoadReport(common.processes) {
            try runner.run(options.rate.map { .open(rate: $0) } ?? .closed, for: .seconds(options.seconds))
        }
        let result = report.result
        return [
            "first uploads: \(LoadReport.rounded(first.rate)) /s" + LoadReport.refusals(first),
            "\(result.good) uploads of \(source.samplesEach) samples in \(LoadReport.rounded(result.seconds)) s: "
                + "\(LoadReport.rounded(result.rate)) /s" + LoadReport.refusals(result),
            report.latencyLine,
        ] + report.costLines
    }
}
