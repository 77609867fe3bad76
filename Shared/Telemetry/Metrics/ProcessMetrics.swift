import Glibc
import Primitives
import Synchronization

/// The usual metrics of a process (Prometheus' client guidelines), from `/proc`.
public enum ProcessMetrics {
    /// Descriptors are counted up to here.
    private static let descriptorsMax = 1 << 20

    public static func register(in metrics: Metrics) {
        let started = Double(Timestamp.now().milliseconds) / 1000
        metrics.gauge("process_start_time_seconds", "When the process started, since the epoch.") { started }
        metrics.gauge("process_resident_memory_bytes", "Memory that the process has in RAM.") { residentBytes() }
        metrics.gauge("process_open_fds", "Open descriptors.") { openDescriptors() }
        metrics.gauge("process_max_fds", "Descriptors that the process may have.") {
            let limit = sysconf(Int32(_SC_OPEN_MAX))
            return limit > 0 ? Double(limit) : nil
        }
        metrics.counter("process_cpu_seconds_total", "Processor time used.") {
            var time = timespec()
            guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        }
    }

    private static func residentBytes() -> Double? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &content, content.count)
        guard count > 0 else { return nil }
        let fields = content[..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        return Double(pages * sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func openDescriptors() -> Double? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while count < descriptorsMax, readdir(directory) != nil { count += 1 }
        // Without `.`, `..` and the directory itself.
        return Double(max(0, count - 3))
    }
}
