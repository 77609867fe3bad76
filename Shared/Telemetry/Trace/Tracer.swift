public import JSON
import Primitives
import Synchronization

/// Begins traces, decides which of them are sampled, and keeps the spans of those until an exporter takes them. Work that is
/// not sampled costs one comparison.
public final class Tracer: Sendable {
    /// Spans that wait for the exporter; more are dropped and counted.
    public static let waitingMax = 4096

    private struct State {
        var waiting: [Span] = []
        var dropped = 0
    }

    /// Bit pattern of the share of new traces that are sampled, 0 to 1.
    private let sampling = Atomic<UInt64>(0)
    /// Whether there is an exporter.
    private let collects = Atomic(false)
    private let state = Mutex(State())

    /// Samples nothing and keeps no spans until it is told to.
    public init() {}

    /// From now on this share of new traces is sampled, and spans of sampled traces are kept for an exporter if there is one.
    public func set(sampling share: Double, isExported: Bool) {
        sampling.store(share.bitPattern, ordering: .relaxed)
        collects.store(isExported, ordering: .relaxed)
        if !isExported { state.withLock { $0.waiting = [] } }
    }

    /// The same for the share alone.
    public func set(sampling share: Double) { sampling.store(share.bitPattern, ordering: .relaxed) }

    /// The context for work that `parent` asked for, or that nobody did. The parent's decision whether to sample holds only
    /// when it is `trusted`: anybody on the internet can send one, and choose its number, so that of the others' a share is
    /// drawn.
    public func begin(_ parent: TraceContext? = nil, trusted: Bool = true) -> TraceContext {
        guard let parent else {
            let root = TraceContext.root()
            return samples(root) ? root.sampled(true) : root
        }
        let child = parent.child()
        return trusted ? child : child.sampled(samples(.root()))
    }

    /// By the trace's number, so that every process with the same share decides alike.
    private func samples(_ trace: TraceContext) -> Bool {
        let share = Double(bitPattern: sampling.load(ordering: .relaxed))
        return Double(trace.traceLow >> 11) < share * 0x1p53
    }

    /// Keeps a span that ended just now, if its trace is sampled.
    public func record(
        _ name: @autoclosure () -> String, _ kind: Span.Kind, _ trace: TraceContext, took duration: Duration,
        isFailed: Bool = false, _ attributes: @autoclosure () -> JSONObject = [:]
    ) {
        guard trace.isSampled, collects.load(ordering: .relaxed) else { return }
        let ended = Timestamp.now()
        let span = Span(
            name: name(), kind: kind, trace: trace, began: ended - duration, ended: ended, isFailed: isFailed,
            attributes: attributes())
        state.withLock { state in
            guard state.waiting.count < Self.waitingMax else {
                state.dropped += 1
                return
            }
            state.waiting.append(span)
        }
    }

    /// At most `count` of the spans that wait, oldest first, which then wait no longer.
    public func take(_ count: Int) -> [Span] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            return taken
        }
    }

    /// Spans that an exporter could not send.
    public func drop(_ count: Int) { state.withLock { $0.dropped += count } }

    public var waitingCount: Int { state.withLock { $0.waiting.count } }
    /// Spans lost so far.
    public var droppedCount: Int { state.withLock { $0.dropped } }
}
