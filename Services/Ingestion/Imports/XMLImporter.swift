/// What importers of XML formats have in common.
protocol XMLImporter: FileImporter, XMLHandler {
    var parser: XMLPushParser { get }
    var collector: ImportCollector { get set }
}

extension XMLImporter {
    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer) -> ImportBatch {
        collect { () throws(XMLError) in try parser.parse(chunk) }
    }

    func finish() -> ImportBatch {
        collect { () throws(XMLError) in try parser.finish() }
    }

    private func collect(_ parse: () throws(XMLError) -> Void) -> ImportBatch {
        do throws(XMLError) {
            try parse()
        } catch {
            collector.report.failure = .init(line: error.line, explanation: error.description)
        }
        return collector.takeBatch()
    }
}
