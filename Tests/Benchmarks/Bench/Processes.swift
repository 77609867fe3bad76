import CLinux

/// This process is killed when the benchmark that started it ends.
func endWithParent() { _ = tm_end_with_parent() }

/// The two sides of a measurement run on different cores. Left to itself, the kernel sometimes puts both on one, which
/// makes round trips short and throughput small, and changes from run to run.
enum Side: UInt {
    case client = 0b01
    case server = 0b10
    case both = 0b11

    /// Holds for this thread and what it starts.
    func pin() {
        if tm_run_on_cores(rawValue) != 0 { emit("note: could not choose the core of the \(self) side") }
    }
}
