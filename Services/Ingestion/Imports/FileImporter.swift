/// Reads one file of a certain format (ING-04), piece by piece and in bounded memory: the samples of a piece are handed out at
/// once, so that the caller stores them before it reads on. For one task at a time.
protocol FileImporter: AnyObject {
    /// Reads the next piece of the file. `give` gets the samples that it completes; an archive calls it anew for each 16 KiB
    /// that the piece expands to. After a failure (`report.failure`) nothing more is read.
    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void)
    /// Ends the file. A file that ends in the middle is a failure; what was read before stays valid.
    func finish(_ give: (ImportBatch) -> Void)
    /// What was taken and skipped so far.
    var report: ImportReport { get }
}

/// The same with all samples at once, for files that are known to be short.
extension FileImporter {
    func consume(_ chunk: [UInt8]) -> ImportBatch {
        var all = ImportBatch()
        chunk.withUnsafeBytes { bytes in consume(bytes) { all.append($0) } }
        return all
    }

    func finish() -> ImportBatch {
        var all = ImportBatch()
        finish { all.append($0) }
        return all
    }
}
