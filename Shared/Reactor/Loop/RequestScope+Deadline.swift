public import Telemetry

extension RequestScope {
    public init(deadline: Deadline, trace: TraceContext) {
        self.init(deadlineNanoseconds: deadline.nanoseconds, trace: trace)
    }

    public var deadline: Deadline { Deadline(nanoseconds: deadlineNanoseconds) }
}
