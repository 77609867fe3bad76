import LoadGenerator
import Primitives
import Reactor
import SuiteClient

/// `trackme-simulator history`: the days before today of many people, as densely as devices measure, as fast as the service takes
/// them.
struct HistoryLoad {
    struct Options: Sendable {
        var common = LoadOptions()
        var days = 30
    }

    /// What a device may send in an hour (`UploadCeiling`) is about 330 days.
    static let daysMax = 300
    /// Each of some hundred kilobytes.
    private static let connectionsUsual = 16

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
        let today = Timestamp.now().dateUTC
        let source = DaySource(
            (1...options.days).reversed().map { today.adding(days: -$0) },
            tokens: try target.tokens(common, devicesEach: DaySource.devicesEach), host: target.host,
            people: common.loadPeople)
        let runner = try target.runner(
            source, connections: min(common.connections ?? connectionsUsual, source.uploads))
        let report = try LoadReport(common.processes) { try runner.run(.closed, for: .requests(source.uploads)) }
        let result = report.result
        return [
            "\(options.days) days of \(common.people) people, \(source.samples) samples in \(result.good) uploads, in "
                + "\(LoadReport.rounded(result.seconds)) s: "
                + "\(LoadReport.rounded(Double(source.samples) / result.seconds)) samples/s"
                + LoadReport.refusals(result),
            report.latencyLine,
        ] + report.costLines
    }
}
