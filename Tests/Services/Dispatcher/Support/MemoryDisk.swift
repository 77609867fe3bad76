@testable import Reactor
import Synchronization

@testable import Dispatcher

/// A disk that fails as it is told.
final class MemoryDisk: JournalDisk {
    struct State {
        var files: [String: [UInt8]] = [:]
        /// So many bytes are written before the disk is full.
        var room = Int.max
        /// What was appended is forgotten by a crash, all but so many bytes of it.
        var isOpen = false
        var isTaken = false
        var hangs = false
        var appends = 0
    }

    let state = Mutex(State())
    private let released = Condition()

    init(_ files: [String: [UInt8]] = [:]) { state.withLock { $0.files = files } }

    var contents: [String: [UInt8]] { state.withLock { $0.files } }
    var appends: Int { state.withLock { $0.appends } }

    /// Whoever writes waits until it is called with false.
    func hang(_ hangs: Bool) {
        state.withLock { $0.hangs = hangs }
        released.broadcast()
    }

    func open() throws(JournalFault) {
        let isTaken = state.withLock { state in
            state.isOpen = true
            return state.isTaken
        }
        if isTaken { throw .taken }
    }

    func files() throws(JournalFault) -> [String] { state.withLock { Array($0.files.keys) } }

    func read(_ name: String) throws(JournalFault) -> [UInt8] { state.withLock { $0.files[name] } ?? [] }

    func append(_ bytes: [UInt8], to name: String) throws(JournalFault) {
        released.wait { state.withLock { $0.hangs ? nil : () } }
        let isWritten = state.withLock { state in
            state.appends += 1
            let written = bytes.prefix(max(0, state.room))
            state.files[name, default: []] += written
            if state.room != .max { state.room -= written.count }
            return written.count == bytes.count
        }
        guard isWritten else { throw .disk("no space left on device") }
    }

    func remove(_ name: String) throws(JournalFault) { state.withLock { $0.files[name] = nil } }

    func close() { state.withLock { $0.isOpen = false } }
}
