/// Reads one file of a certain format (ING-04), piece by piece and in bounded memory: the samples of a piece are
/// returned at once, so that the caller stores them before it reads on. For one task at a time.
protocol FileImporter: AnyObject {
    /// The samples that the next piece of the file completes. After a failure (`report.failure`) nothing more is read.
    func consume(_ chunk: UnsafeRawBufferPointer) -> ImportBatch
    /// Ends the file. A file that ends in the middle is a failure; what was read before stays valid.
    func finish() -> ImportBatch
    /// What was taken and skipped so far.
    var report: ImportReport { get }
}

extension FileImporter {
    func consume(_ chunk: [UInt8]) -> ImportBatch { chunk.withUnsafeBytes { consume($0) } }
}
