import JSON
import Primitives
import Reactor
import Telemetry

/// One call of a client before it has a connection.
struct OutgoingCall: Sendable {
    let method: String
    let isIdempotent: Bool
    let isLongPoll: Bool
    let params: [UInt8]
    let deadline: Deadline
    let trace: TraceContext
    let began = Deadline.now()

    /// With the earlier of `deadline` and the current scope's, or `default` from now when there is neither.
    init<M: RPCMethod>(
        _: M.Type, _ params: M.Params, deadline: Deadline?, default: Duration
    ) throws(RPCError) {
        let scope = RequestScope.current
        method = M.name
        isIdempotent = M.isIdempotent
        isLongPoll = M.isLongPoll(params)
        self.deadline =
            switch (deadline, scope?.deadline) {
            case (let own?, let outer?): min(own, outer)
            case (let own?, nil): own
            case (nil, let outer?): min(outer, .after(`default`))
            case (nil, nil): .after(`default`)
            }
        trace = scope?.trace.child() ?? .root()
        do {
            self.params = try JSONEncoder().encode(params)
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
    }

    /// Appends the request with what is left of its time at `now`.
    func write(id: Int64, at now: Deadline, to output: inout [UInt8]) {
        RequestEnvelope.write(
            id: id, method: method, params: params, deadlineMilliseconds: deadline.since(now).milliseconds,
            trace: trace,
            to: &output)
    }

    /// The most bytes of its request, without line feed.
    var frameBytesMax: Int {
        params.count + method.utf8.count + RequestEnvelope.overheadBytesMax + RequestEnvelope.stateBytesMax(trace)
    }
}
