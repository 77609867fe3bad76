/// Times in order: a binary heap with cancellation by number. Cancelled entries stay until they surface, or until they
/// are the majority, when the heap is built anew: both are O(log n) or better per timer, amortised.
struct TimerQueue<Payload> {
    private struct Entry {
        let due: UInt64
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var payloads: [UInt64: Payload] = [:]
    private var lastID: UInt64 = 0

    var count: Int { payloads.count }

    /// The earliest time, possibly of a cancelled entry: waking for it is harmless.
    var nextDue: UInt64? { heap.first?.due }

    mutating func add(due: UInt64, _ payload: Payload) -> UInt64 {
        lastID += 1
        payloads[lastID] = payload
        heap.append(Entry(due: due, id: lastID))
        siftUp(heap.count - 1)
        return lastID
    }

    mutating func cancel(_ id: UInt64) -> Payload? {
        guard let payload = payloads.removeValue(forKey: id) else { return nil }
        if heap.count > 64, payloads.count < heap.count / 2 { rebuild() }
        return payload
    }

    /// The next entry that is due by `now`.
    mutating func popDue(_ now: UInt64) -> (due: UInt64, payload: Payload)? {
        while let first = heap.first, first.due <= now {
            removeFirst()
            if let payload = payloads.removeValue(forKey: first.id) { return (first.due, payload) }
        }
        return nil
    }

    mutating func removeAll() -> [Payload] {
        defer {
            heap = []
            payloads = [:]
        }
        return Array(payloads.values)
    }

    private mutating func rebuild() {
        heap.removeAll { payloads[$0.id] == nil }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Equal times keep the order in which they were set.
    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].due, heap[left].id) < (heap[right].due, heap[right].id)
    }
}
