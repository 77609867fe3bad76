import Primitives
import Reactor

/// What a webhook has to send, in order for each person: at most one event of a lane is under way. A lane is an individual, or a
/// request of somebody who is gone. After a failure the lane is held: its events are read again from the failed one when it is due,
/// and when it has caught up with the rest it goes on with them.
struct SendQueue {
    struct Held: Sendable {
        /// The event that could not be sent, or the one after what was sent since.
        var from: Int64
        var attempts: Int
        var dueAt: Deadline
        /// The turn of its last attempt.
        var turn: UInt64 = 0
    }

    private struct Lane {
        var events: [Event] = []
        var isBusy = false
        var held: Held?
    }

    private var lanes: [UUID: Lane] = [:]
    private var ready: [UUID] = []
    private var turns: UInt64 = 0
    /// Numbers that were read and are not done, ascending; those of held lanes are not among them.
    private var open: [Int64] = []
    /// Events up to this one were read.
    private(set) var readThrough: Int64
    private(set) var heldCount = 0
    /// Not after the next time that a held lane is due.
    private(set) var nextDue = Deadline.never

    init(position: Int64) {
        readThrough = position
    }

    /// Everything up to this number is done, or is found again by its held lane.
    var position: Int64 { open.first.map { $0 - 1 } ?? readThrough }
    /// Events of lanes that are not held.
    var backlog: Int { open.count }

    func held(_ lane: UUID) -> Held? { lanes[lane]?.held }

    // MARK: Reading

    /// Adds what was read after `readThrough`.
    mutating func add(_ events: [(lane: UUID, event: Event)], through number: Int64) {
        for (id, event) in events where lanes[id]?.held == nil {
            lanes[id, default: Lane()].events.append(event)
            open.append(event.number)
            enqueue(id)
        }
        readThrough = number
    }

    /// Takes up a lane that was held before.
    mutating func hold(_ id: UUID, from number: Int64, attempts: Int, due: Deadline) {
        guard lanes[id]?.held == nil, lanes[id]?.isBusy != true else { return }
        drop(eventsOf: id)
        lanes[id, default: Lane()].held = Held(from: number, attempts: attempts, dueAt: due)
        heldCount += 1
        nextDue = min(nextDue, due)
    }

    /// Held lanes that are due, to be read from where they are; or this one alone, due or not.
    mutating func due(max count: Int, only: UUID?) -> [(lane: UUID, from: Int64)] {
        if let only {
            guard let lane = lanes[only], let held = lane.held, lane.events.isEmpty, !lane.isBusy else { return [] }
            return [(only, held.from)]
        }
        guard nextDue.hasPassed, count > 0 else { return [] }
        let now = Deadline.now()
        var found: [(lane: UUID, from: Int64)] = []
        nextDue = .never
        for (id, lane) in lanes {
            guard let held = lane.held, lane.events.isEmpty, !lane.isBusy else { continue }
            if held.dueAt <= now, found.count < count { found.append((id, held.from)) }
            // Those found are looked at again, too, in case that they are not read.
            nextDue = min(nextDue, held.dueAt)
        }
        return found
    }

    /// What was read of a held lane, up to the number `last`, when the rest was read up to `readThrough`. Whether the lane has
    /// caught up, and is held no longer.
    mutating func loaded(_ events: [Event], of id: UUID, last: Int64) -> Bool {
        guard let held = lanes[id]?.held else { return false }
        let events = events.filter { $0.number <= readThrough }
        if !events.isEmpty {
            lanes[id]?.events = events
            enqueue(id)
            return false
        }
        guard last < held.from || last >= readThrough else {
            lanes[id]?.held?.from = last + 1
            nextDue = .now()
            return false
        }
        lanes[id] = nil
        heldCount -= 1
        return true
    }

    // MARK: Sending

    func hasReady(only: UUID?) -> Bool { only.map { ready.contains($0) } ?? !ready.isEmpty }

    /// The next event to send; or that of this lane alone.
    mutating func take(only: UUID?) -> (lane: UUID, event: Event)? {
        while let index = only.map({ id in ready.firstIndex(of: id) }) ?? ready.indices.first {
            let id = ready.remove(at: index)
            guard let event = lanes[id]?.events.first else { continue }
            lanes[id]?.isBusy = true
            turns += 1
            lanes[id]?.held?.turn = turns
            return (id, event)
        }
        return nil
    }

    /// The event was sent, or may not be sent any more, or is given up.
    mutating func done(_ id: UUID, _ event: Event) {
        guard let lane = lanes[id] else { return }
        lanes[id]?.isBusy = false
        if lane.events.first?.number == event.number { lanes[id]?.events.removeFirst() }
        if lane.held != nil {
            lanes[id]?.held?.from = event.number + 1
            lanes[id]?.held?.attempts = 0
            lanes[id]?.held?.dueAt = .now()
        } else {
            close(event.number)
        }
        next(id)
    }

    /// The event could not be sent. It is tried again after a pause, and what comes after it waits.
    mutating func failed(_ id: UUID, _ event: Event, attempts: Int, pause: Duration) {
        drop(eventsOf: id)
        if lanes[id]?.held == nil { heldCount += 1 }
        let due = Deadline.after(pause)
        lanes[id, default: Lane()].held = Held(from: event.number, attempts: attempts, dueAt: due, turn: turns)
        lanes[id]?.isBusy = false
        nextDue = min(nextDue, due)
    }

    /// It was not tried.
    mutating func giveBack(_ id: UUID) {
        lanes[id]?.isBusy = false
        next(id)
    }

    /// All that is held is due.
    mutating func allDue() {
        let now = Deadline.now()
        for id in lanes.keys { lanes[id]?.held?.dueAt = now }
        nextDue = now
    }

    /// The held lane whose last attempt is longest ago.
    var probe: UUID? {
        lanes.filter { $0.value.held != nil }.min { ($0.value.held?.turn ?? 0) < ($1.value.held?.turn ?? 0) }?.key
    }

    private mutating func next(_ id: UUID) {
        guard let lane = lanes[id] else { return }
        if !lane.events.isEmpty {
            enqueue(id)
        } else if lane.held == nil {
            lanes[id] = nil
        } else {
            nextDue = .now()
        }
    }

    private mutating func enqueue(_ id: UUID) {
        guard lanes[id]?.isBusy == false, !ready.contains(id) else { return }
        ready.append(id)
    }

    /// Those of a lane that is held from now on; of one that was held already they are not open.
    private mutating func drop(eventsOf id: UUID) {
        guard let lane = lanes[id] else { return }
        if lane.held == nil { for event in lane.events { close(event.number) } }
        lanes[id]?.events = []
        ready.removeAll { $0 == id }
    }

    private mutating func close(_ number: Int64) {
        var (low, high) = (0, open.count)
        while low < high {
            let middle = (low + high) / 2
            if open[middle] < number { low = middle + 1 } else { high = middle }
        }
        if low < open.count, open[low] == number { open.remove(at: low) }
    }
}
