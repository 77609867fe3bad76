import Domain

/// What importers of XML formats have in common.
protocol XMLImporter: FileImporter, XMLHandler {
    var scanner: XMLScanner { get }
    var collector: ImportCollector { get set }
}

extension XMLImporter {
    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        collect(give) { () throws(XMLError) in try scanner.scan(chunk) }
    }

    func finish(_ give: (ImportBatch) -> Void) {
        collect(give) { () throws(XMLError) in try scanner.finish() }
    }

    func met(_ fault: XMLFault, line: Int) {
        collector.report.skip(
            nil, reason: "malformed-\(fault.rawValue)", explanation: fault.explanation, at: .line(line))
    }

    private func collect(_ give: (ImportBatch) -> Void, _ scan: () throws(XMLError) -> Void) {
        do throws(XMLError) {
            try scan()
        } catch {
            collector.report.fail(at: .line(error.line), error.reason, error.description)
        }
        give(collector.takeBatch())
    }
}
