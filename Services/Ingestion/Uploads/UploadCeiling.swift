import Primitives
import Reactor
import Synchronization

/// What one device may send in an hour, and one person enter by hand, in each replica by itself: so that a device gone wild, or a
/// stolen token, does not take the place of many. The ceiling lies far above what a device sends that measures three times a second.
///
/// Devices are counted in cells by a hash of their id. When a cell gets hot its devices are counted one by one, so that
/// nobody is refused for what others of the cell send. The memory is the same for any number of
/// devices; should more than `singlesMax` be hot, the cells of further ones count in their place.
final class UploadCeiling: Sendable {
    static let window = Duration.seconds(3600)
    /// In a window, of uploads, and of so many samples or bytes each, whichever are more.
    static let unitsMaxDefault: UInt32 = 20_000
    static let samplesPerUnit = 250
    static let bytesPerUnit = 16 << 10
    /// Of an entry by hand, beside its bytes and samples: a thousand in a window.
    static let unitsOfEntry: UInt32 = 20

    /// The device has sent what it may in this window.
    struct Exceeded: Error {
        let retryAfter: Duration
    }

    private struct State {
        var end: Deadline
        /// Units sent in this window, by cell.
        var cells: [UInt32]
        var singles: [UUID: UInt32] = [:]
    }

    private let unitsMax: UInt32
    /// Units of a cell from which on its devices are counted one by one.
    private let hotMin: UInt32
    private let singlesMax: Int
    private let cellsMask: Int
    private let now: @Sendable () -> Deadline
    private let state: Mutex<State>

    /// `cellsLog`: the logarithm of the number of cells, of four bytes each; with a million, a million devices that send
    /// every 30 s make no cell hot.
    init(
        unitsMax: UInt32 = unitsMaxDefault, cellsLog: Int = 20, singlesMax: Int = 10_000,
        now: @escaping @Sendable () -> Deadline = { Deadline.now() }
    ) {
        self.unitsMax = unitsMax
        self.singlesMax = singlesMax
        self.now = now
        hotMin = unitsMax / 8
        cellsMask = 1 << cellsLog - 1
        state = Mutex(
            State(
                end: now().advanced(by: Self.window), cells: [UInt32](repeating: 0, count: 1 << cellsLog)))
    }

    /// Counts an upload of the device by its bytes, whatever they are, or refuses it.
    func admit(_ device: UUID, bytes: Int) throws(Exceeded) {
        try count(1 + UInt32(clamping: bytes / Self.bytesPerUnit), of: device, isRefusable: true)
    }

    /// Counts an entry by hand of a person by its bytes, or refuses it.
    func admitEntry(of account: UUID, bytes: Int) throws(Exceeded) {
        try count(Self.unitsOfEntry + UInt32(clamping: bytes / Self.bytesPerUnit), of: account, isRefusable: true)
    }

    /// Counts what was found in what a device or a person sent and was admitted, beyond what its bytes counted.
    func add(samples: Int, bytes: Int, of sender: UUID) {
        let units = samples / Self.samplesPerUnit - bytes / Self.bytesPerUnit
        // What has been read is taken: the next one is refused.
        if units > 0 { try? count(UInt32(clamping: units), of: sender, isRefusable: false) }
    }

    private func count(_ units: UInt32, of device: UUID, isRefusable: Bool) throws(Exceeded) {
        let now = now()
        let cell = Int(truncatingIfNeeded: (device.high ^ device.low) &* 0x9e37_79b9_7f4a_7c15 >> 32) & cellsMask
        let end = state.withLock { state -> Deadline? in
            if now >= state.end {
                for cell in state.cells.indices { state.cells[cell] = 0 }
                state.singles = [:]
                state.end = now.advanced(by: Self.window)
            }
            let before = state.cells[cell]
            let isSingle = before >= hotMin && (state.singles[device] != nil || state.singles.count < singlesMax)
            // Of what the cell had before it got hot the device may have sent all.
            let own = isSingle ? state.singles[device] ?? hotMin : before
            guard own < unitsMax || !isRefusable else { return state.end }
            state.cells[cell] = Self.sum(before, units)
            if isSingle || before < hotMin && Self.sum(before, units) >= hotMin && state.singles.count < singlesMax {
                state.singles[device] = Self.sum(own, units)
            }
            return nil
        }
        if let end { throw Exceeded(retryAfter: end.since(now)) }
    }

    private static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
