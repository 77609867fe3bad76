/// Who waits for which descriptor, as a plain value without a kernel: calls return what the loop has to do.
///
/// Level-triggered with lazy interest. Reading interest is armed with the first reader and stays armed while readers keep
/// coming back, so that a request costs no `epoll_ctl`; an event that finds nobody waiting disarms it. Writing interest
/// exists only while a writer waits. A slot's generation is part of its key, so that a stale event, timer or
/// cancellation never reaches the next owner of the slot.
struct ReadinessTable<Waiter> {
    struct Key: Hashable, Sendable {
        let slot: UInt32
        let generation: UInt32

        /// As kept in `epoll_data`; slot numbers stay below `UInt32.max`, which marks the loop's own descriptor.
        var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
        init(slot: UInt32, generation: UInt32) {
            self.slot = slot
            self.generation = generation
        }
        init(rawValue: UInt64) {
            self.init(
                slot: UInt32(truncatingIfNeeded: rawValue), generation: UInt32(truncatingIfNeeded: rawValue >> 32))
        }
    }

    struct Interest: OptionSet, Sendable {
        let rawValue: UInt8
        static var read: Interest { Interest(rawValue: 1) }
        static var write: Interest { Interest(rawValue: 2) }
    }

    /// A waiter with the number it is cancelled by and the time it gives up (`UInt64.max`: never).
    struct Entry {
        let id: UInt64
        let due: UInt64
        let waiter: Waiter
    }

    typealias Waiters = (reader: Waiter?, writer: Waiter?)

    enum WaitResult: Equatable {
        /// Kept; the kernel must be told `arm` when it is not nil.
        case waiting(arm: Interest?)
        /// The peer hung up: the next system call tells how.
        case ready
        /// The key was deregistered.
        case closed
        /// Somebody waits in this direction already.
        case occupied
    }

    struct Wakes {
        var reader: Waiter?
        var writer: Waiter?
        /// The kernel must be told this interest when it is not nil.
        var arm: Interest?
        /// The kernel must be told to forget the descriptor: it would report the hang-up without end.
        var forget = false
    }

    private struct Slot {
        var generation: UInt32 = 0
        var isUsed = false
        var isHungUp = false
        var armed: Interest = []
        var reader: Entry?
        var writer: Entry?
        /// When the slot's one timer fires; `UInt64.max` when it has none.
        var timerDue = UInt64.max
        /// Its number in the timer queue.
        var timerID: UInt64?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    mutating func register() -> Key {
        let index: UInt32
        if let reused = free.popLast() {
            index = reused
        } else {
            index = UInt32(slots.count)
            slots.append(Slot())
        }
        let generation = slots[Int(index)].generation &+ 1
        slots[Int(index)] = Slot(generation: generation, isUsed: true)
        return Key(slot: index, generation: generation)
    }

    /// Frees the key; the returned waiters must be failed. A second call returns none.
    mutating func deregister(_ key: Key) -> Waiters {
        guard isCurrent(key) else { return (nil, nil) }
        let slot = slots[Int(key.slot)]
        slots[Int(key.slot)] = Slot(generation: slot.generation)
        free.append(key.slot)
        return (slot.reader?.waiter, slot.writer?.waiter)
    }

    mutating func wait(_ key: Key, _ direction: Interest, _ entry: Entry) -> WaitResult {
        guard isCurrent(key) else { return .closed }
        let index = Int(key.slot)
        if slots[index].isHungUp { return .ready }
        if direction == .read {
            guard slots[index].reader == nil else { return .occupied }
            slots[index].reader = entry
        } else {
            guard slots[index].writer == nil else { return .occupied }
            slots[index].writer = entry
        }
        guard !slots[index].armed.contains(direction) else { return .waiting(arm: nil) }
        slots[index].armed.insert(direction)
        return .waiting(arm: slots[index].armed)
    }

    /// An event of the kernel; `hungUp` is an error or a hang-up of both sides.
    mutating func event(_ key: Key, readable: Bool, writable: Bool, hungUp: Bool) -> Wakes {
        var wakes = Wakes()
        guard isCurrent(key) else { return wakes }
        let index = Int(key.slot)
        var armed = slots[index].armed
        if readable || hungUp {
            wakes.reader = slots[index].reader?.waiter
            slots[index].reader = nil
            if wakes.reader == nil { armed.remove(.read) }
        }
        if writable || hungUp {
            wakes.writer = slots[index].writer?.waiter
            slots[index].writer = nil
            armed.remove(.write)
        }
        if hungUp, wakes.reader == nil, wakes.writer == nil {
            slots[index].isHungUp = true
            slots[index].armed = []
            wakes.forget = true
            return wakes
        }
        if armed != slots[index].armed {
            slots[index].armed = armed
            wakes.arm = armed
        }
        return wakes
    }

    /// Takes back the wait numbered `id`; `nil` when it has ended already.
    mutating func cancel(_ key: Key, id: UInt64) -> Waiter? {
        guard isCurrent(key) else { return nil }
        let index = Int(key.slot)
        if let entry = slots[index].reader, entry.id == id {
            slots[index].reader = nil
            return entry.waiter
        }
        if let entry = slots[index].writer, entry.id == id {
            slots[index].writer = nil
            return entry.waiter
        }
        return nil
    }

    /// Ends the waits of a key that stays registered.
    mutating func cancelAll(_ key: Key) -> Waiters {
        guard isCurrent(key) else { return (nil, nil) }
        let index = Int(key.slot)
        defer {
            slots[index].reader = nil
            slots[index].writer = nil
        }
        return (slots[index].reader?.waiter, slots[index].writer?.waiter)
    }

    /// Whether a timer must be set for `due`: only when none of this key fires as early.
    mutating func needsTimer(_ key: Key, due: UInt64) -> Bool {
        guard due != .max, isCurrent(key), due < slots[Int(key.slot)].timerDue else { return false }
        slots[Int(key.slot)].timerDue = due
        return true
    }

    /// Says which timer was set after `needsTimer`; answers with the one that it replaces, to be cancelled.
    mutating func setTimer(_ key: Key, id: UInt64) -> UInt64? {
        guard isCurrent(key) else { return id }
        defer { slots[Int(key.slot)].timerID = id }
        return slots[Int(key.slot)].timerID
    }

    /// The key's timer, which has to be cancelled before the key is deregistered.
    func timer(of key: Key) -> UInt64? {
        isCurrent(key) ? slots[Int(key.slot)].timerID : nil
    }

    /// Whether reading interest is armed: no event has come since that found nobody waiting.
    func isArmedForReading(_ key: Key) -> Bool {
        isCurrent(key) && slots[Int(key.slot)].armed.contains(.read)
    }

    /// The key's timer of time `due` fired: who has timed out by `now`, and when the next timer is needed.
    mutating func timerFired(_ key: Key, due: UInt64, now: UInt64) -> (reader: Waiter?, writer: Waiter?, next: UInt64?)
    {
        guard isCurrent(key), slots[Int(key.slot)].timerDue == due else { return (nil, nil, nil) }
        let index = Int(key.slot)
        var reader: Waiter?
        var writer: Waiter?
        var next = UInt64.max
        if let entry = slots[index].reader {
            if entry.due <= now {
                reader = entry.waiter
                slots[index].reader = nil
            } else {
                next = min(next, entry.due)
            }
        }
        if let entry = slots[index].writer {
            if entry.due <= now {
                writer = entry.waiter
                slots[index].writer = nil
            } else {
                next = min(next, entry.due)
            }
        }
        slots[index].timerDue = next
        slots[index].timerID = nil
        return (reader, writer, next == .max ? nil : next)
    }

    /// Every key in use: what a stopping loop has to close.
    var keys: [Key] {
        slots.indices.filter { slots[$0].isUsed }.map { Key(slot: UInt32($0), generation: slots[$0].generation) }
    }

    private func isCurrent(_ key: Key) -> Bool {
        Int(key.slot) < slots.count && slots[Int(key.slot)].isUsed && slots[Int(key.slot)].generation == key.generation
    }
}
