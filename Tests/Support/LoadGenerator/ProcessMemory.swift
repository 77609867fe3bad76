import Glibc

/// Resident memory of a process, in MB.
public struct ProcessMemory: Sendable {
    public let now: Double
    /// The most that it has had.
    public let peak: Double

    /// Errors: `missing` when there is no such process.
    public init(of process: Int32) throws(LoadError) {
        guard let file = fopen("/proc/\(process)/status", "r") else { throw .missing(process: process) }
        defer { fclose(file) }
        var values: [Substring: Double] = [:]
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
            if words.count > 1, let number = Double(words[1]) { values[words[0]] = number * 1024 / 1e6 }
        }
        // One that has ended and was not waited for has none.
        guard let now = values["VmRSS:"], let peak = values["VmHWM:"] else { throw .missing(process: process) }
        (self.now, self.peak) = (now, peak)
    }
}
