import Reactor

/// Chooses among the addresses of one service: round robin over those that are connected; the others are connected beside
/// them before they get calls, one that failed after a rest.
struct AddressBalancer {
    /// Where the next call goes, and which addresses to try meanwhile without a call.
    struct Choice: Equatable {
        var call: Int?
        var probes: [Int] = []
    }

    private enum Health: Equatable {
        /// Connected.
        case ready
        /// Never tried, or closed in good order.
        case untried
        /// Being connected.
        case probing
        case resting(until: Deadline)
    }

    private struct Address {
        var health = Health.untried
        var failuresInRow = 0
    }

    private let backOff: BackOff
    private var addresses: [Address]
    private var next: Int

    /// `first` is where round robin begins, so that many clients do not all begin with the same address.
    init(count: Int, backOff: BackOff, first: Int = 0) {
        self.backOff = backOff
        addresses = Array(repeating: Address(), count: count)
        next = count == 0 ? 0 : first % count
    }

    mutating func choose(at now: Deadline) -> Choice {
        var choice = Choice()
        var untried: Int?
        var probing: Int?
        for step in 0..<addresses.count {
            let index = (next + step) % addresses.count
            switch addresses[index].health {
            case .ready:
                if choice.call == nil { choice.call = index }
            case .untried:
                untried = untried ?? index
            case .probing:
                probing = probing ?? index
            case .resting(let until) where until <= now:
                addresses[index].health = .probing
                choice.probes.append(index)
            case .resting:
                break
            }
        }
        if let untried {
            addresses[untried].health = .probing
            if choice.call == nil { choice.call = untried } else { choice.probes.append(untried) }
        }
        // With nothing better, a call waits for the outcome of a trial.
        choice.call = choice.call ?? probing ?? choice.probes.first
        if let call = choice.call { next = (call + 1) % addresses.count }
        return choice
    }

    /// A connection is being made without having been chosen for that: the one before is no longer for new calls.
    mutating func opening(_ index: Int) {
        addresses[index].health = .probing
    }

    mutating func connected(_ index: Int) {
        addresses[index].health = .ready
    }

    /// Its connection ended in good order.
    mutating func closed(_ index: Int) {
        addresses[index].health = .untried
    }

    /// A connection could not be made, or was lost; `wasUseful` when it had brought answers before, `isRefused` when the
    /// server has said that it takes nothing: it is left alone ten times longer than one that may come back any moment.
    /// `random` lies between 0 and 1.
    mutating func failed(_ index: Int, at now: Deadline, wasUseful: Bool, isRefused: Bool = false, random: Double) {
        let failures = wasUseful ? 1 : addresses[index].failuresInRow + 1
        addresses[index].failuresInRow = failures
        var rest = backOff
        if isRefused { rest.max = rest.max * 10 }
        addresses[index].health = .resting(until: now.advanced(by: rest.delay(afterFailures: failures, random: random)))
    }
}
