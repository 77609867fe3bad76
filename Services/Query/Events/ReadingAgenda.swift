import Contracts
import Primitives
import Reactor

/// Which readings go on next: those of third parties that listen, of whom something has arrived or may have. Without I/O.
struct ReadingAgenda {
    /// A reading that has failed so often, one time after the other, holds nobody up any more: about one try is made in a second.
    static let failuresMax = 10

    /// How far what a third party listens to has become events, as it is known here.
    enum Progress: Sendable {
        /// More is stored, or may be.
        case behind
        /// So it is of readings alone that fail again and again.
        case stuck
        /// All that is stored has.
        case caughtUp
    }

    /// What a third party listens to: all of its requests, or single ones.
    enum Scope: Hashable, Sendable {
        case all
        case request(UUID)
    }

    private struct Party {
        var listeners: [Scope: Int] = [:]
        /// Since when nobody listens to that any more.
        var left: [Scope: Deadline] = [:]
        /// Whose readings are here.
        var loaded: Set<Scope> = []
        /// Counts what has changed: what was read from the database before a change is not all.
        var changes = 0
        /// Raised when there are events, or may be.
        var news: [Scope: EventCounter] = [:]
        var requests: Set<UUID> = []
        /// Of these, those that are due or being read.
        var pending: Set<UUID> = []
        /// Of these, those that have failed `failuresMax` times.
        var stuck: Set<UUID> = []

        func isWanted(_ request: UUID) -> Bool {
            [.all, .request(request)].contains { listeners[$0] != nil || left[$0] != nil }
        }
    }

    private struct Entry {
        var reading: Reading
        var standing = Standing.idle
        /// Something has arrived since it was taken, or may have.
        var hasNews = false
        /// One after the other, since it was read last.
        var failures = 0
    }

    private enum Standing {
        /// Neither due nor being read.
        case idle
        case queued, read
        /// Until it is tried again.
        case failed
        /// There is more, and nobody listens now.
        case resting
    }

    private var parties: [UUID: Party] = [:]
    private var readings: [UUID: Entry] = [:]
    private var byIndividual: [UUID: Set<UUID>] = [:]
    /// Readings whose last try has failed.
    private(set) var failing: Set<UUID> = []
    /// What has just arrived goes before what is read up.
    private var fresh: [UUID] = []
    private var rest: [UUID] = []

    // MARK: Listening

    /// Somebody listens; the counter is raised when there are events, or may be. `isDue`: whether something is to be read for it.
    mutating func listen(_ requester: UUID, to scope: Scope) -> (news: EventCounter, isDue: Bool) {
        var party = parties[requester] ?? Party()
        party.listeners[scope, default: 0] += 1
        party.left[scope] = nil
        let news = party.news[scope] ?? EventCounter()
        party.news[scope] = news
        parties[requester] = party
        let concerned =
            switch scope {
            case .all: party.pending
            case .request(let request): party.pending.intersection([request])
            }
        let rested = concerned.filter { if case .resting = readings[$0]?.standing { true } else { false } }
        for request in rested { makeDue(request, isFresh: false) }
        return (news, !rested.isEmpty)
    }

    mutating func leave(_ requester: UUID, _ scope: Scope, at now: Deadline) {
        guard var party = parties[requester], let count = party.listeners[scope] else { return }
        party.listeners[scope] = count > 1 ? count - 1 : nil
        if count == 1 { party.left[scope] = now }
        parties[requester] = party
    }

    /// Forgets what nobody has listened to since then. Who asks again and again is remembered in between, so that nothing is
    /// read of which nothing has arrived.
    mutating func forget(leftBefore time: Deadline) {
        for (requester, party) in parties where party.left.values.contains(where: { $0 <= time }) {
            let gone = party.left.filter { $0.value <= time }.map(\.key)
            for scope in gone {
                parties[requester]?.left[scope] = nil
                parties[requester]?.loaded.remove(scope)
                parties[requester]?.news[scope] = nil
            }
            guard let rest = parties[requester] else { continue }
            for request in rest.requests where !rest.isWanted(request) { remove(request) }
            if rest.listeners.isEmpty, rest.left.isEmpty { parties[requester] = nil }
        }
    }

    /// Of all that the third party listens to, or of what a request concerns.
    func news(of requester: UUID, about request: UUID? = nil) -> [EventCounter] {
        guard let party = parties[requester] else { return [] }
        guard let request else { return Array(party.news.values) }
        return [.all, .request(request)].compactMap { party.news[$0] }
    }

    /// Of what concerns these readings, each once.
    func news(about readings: [Reading]) -> [EventCounter] {
        let news = readings.flatMap { self.news(of: $0.requester, about: $0.request) }
        return Array(Dictionary(news.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values)
    }

    /// Whether somebody listens to a request now.
    func isListened(to request: UUID, of requester: UUID) -> Bool {
        guard let listeners = parties[requester]?.listeners else { return false }
        return listeners[.all] != nil || listeners[.request(request)] != nil
    }

    /// Third parties that listen, or have done so lately.
    var listening: [UUID] { Array(parties.keys) }
    /// Whether the readings of what a third party listens to are here.
    func isLoaded(_ requester: UUID, _ scope: Scope) -> Bool {
        parties[requester].map { $0.loaded.contains(.all) || $0.loaded.contains(scope) } ?? false
    }

    func progress(_ requester: UUID, _ scope: Scope) -> Progress {
        guard let party = parties[requester], isLoaded(requester, scope) else { return .behind }
        return switch scope {
        case .all:
            party.pending.isEmpty ? .caughtUp : party.pending.count == party.stuck.count ? .stuck : .behind
        case .request(let request):
            !party.pending.contains(request) ? .caughtUp : party.stuck.contains(request) ? .stuck : .behind
        }
    }

    /// Of all of a third party's requests those of which something is stored that is no event yet, as far as it is known here, and
    /// those among them that could not be read when it was tried last; `nil` while the readings are not here.
    func unread(of requester: UUID) -> (requests: Set<UUID>, failing: Set<UUID>)? {
        guard let party = parties[requester], isLoaded(requester, .all) else { return nil }
        return (party.pending, failing.intersection(party.pending))
    }

    /// The readings of a third party are to be loaded again.
    mutating func unload(_ requester: UUID) {
        parties[requester]?.loaded = []
        parties[requester]?.changes += 1
    }

    func changes(of requester: UUID) -> Int { parties[requester]?.changes ?? 0 }

    /// What is listened to and is to be loaded again.
    func unloaded(_ countMax: Int) -> [(requester: UUID, scope: Scope)] {
        let all = parties.lazy.flatMap { requester, party in
            party.listeners.keys.lazy
                .filter { !party.loaded.contains($0) && !party.loaded.contains(.all) }.map { (requester, $0) }
        }
        return Array(all.prefix(countMax))
    }

    // MARK: Readings

    /// Takes up a third party's readings as they stood in the database after so many changes, all or one; new ones are due. When
    /// something has changed meanwhile, they are to be loaded again.
    mutating func load(_ found: [Reading], of requester: UUID, _ scope: Scope, after changes: Int, at now: Timestamp) {
        guard let party = parties[requester] else { return }
        guard party.changes == changes else { return }
        parties[requester]?.loaded.insert(scope)
        let there = Set(found.map(\.request))
        for request in party.requests where !there.contains(request) && (scope == .all || scope == .request(request)) {
            remove(request)
        }
        for reading in found where readings[reading.request] == nil && party.isWanted(reading.request) {
            readings[reading.request] = Entry(reading: reading)
            byIndividual[reading.individual, default: []].insert(reading.request)
            parties[requester]?.requests.insert(reading.request)
            mayHaveNews(reading.request, at: now)
        }
    }

    /// Takes up single readings as they stand in the database now, of those that are listened to.
    mutating func takeUp(_ found: [Reading], at now: Timestamp) {
        for reading in found where parties[reading.requester]?.isWanted(reading.request) == true {
            remove(reading.request)
            readings[reading.request] = Entry(reading: reading)
            byIndividual[reading.individual, default: []].insert(reading.request)
            parties[reading.requester]?.requests.insert(reading.request)
            mayHaveNews(reading.request, at: now)
        }
    }

    /// A reading that is over, or stands elsewhere now.
    mutating func remove(_ request: UUID) {
        guard let reading = readings.removeValue(forKey: request)?.reading else { return }
        byIndividual[reading.individual]?.remove(request)
        if byIndividual[reading.individual]?.isEmpty == true { byIndividual[reading.individual] = nil }
        parties[reading.requester]?.requests.remove(request)
        parties[reading.requester]?.pending.remove(request)
        hasWorked(reading)
    }

    private mutating func hasWorked(_ reading: Reading) {
        parties[reading.requester]?.stuck.remove(reading.request)
        failing.remove(reading.request)
    }

    // MARK: What is due

    /// Something has arrived of these people. Whether anything has become due.
    mutating func arrived(_ individuals: Set<UUID>, at now: Timestamp) -> Bool {
        var isAny = false
        for individual in individuals {
            for request in byIndividual[individual] ?? [] {
                isAny = mayHaveNews(request, isFresh: true, at: now) || isAny
            }
        }
        return isAny
    }

    /// Something may have arrived of anybody.
    mutating func mayHaveArrived(at now: Timestamp) { for request in readings.keys { mayHaveNews(request, at: now) } }

    /// Whether it is due now.
    @discardableResult
    private mutating func mayHaveNews(_ request: UUID, isFresh: Bool = false, at now: Timestamp) -> Bool {
        guard var entry = readings[request] else { return false }
        entry.hasNews = true
        readings[request] = entry
        guard case .idle = entry.standing, entry.reading.isTime(at: now) else { return false }
        makeDue(request, isFresh: isFresh)
        return true
    }

    private mutating func makeDue(_ request: UUID, isFresh: Bool) {
        guard let requester = readings[request]?.reading.requester else { return }
        readings[request]?.standing = .queued
        parties[requester]?.pending.insert(request)
        if isFresh { fresh.append(request) } else { rest.append(request) }
    }

    /// Makes those due whose time has come, and those that have failed. Whether there are any.
    mutating func wake(at now: Timestamp) -> Bool {
        var isAny = false
        for (request, entry) in readings {
            switch entry.standing {
            case .failed: break
            case .idle where (entry.hasNews || entry.reading.waits) && entry.reading.isTime(at: now): break
            default: continue
            }
            makeDue(request, isFresh: false)
            isAny = true
        }
        return isAny
    }

    /// Readings to go on with now: first of whom something has just arrived, but half of the room is the rest's.
    mutating func take(_ countMax: Int) -> [Reading] {
        var taken: [Reading] = []
        // Those that were removed meanwhile are passed over.
        while taken.count < countMax, !fresh.isEmpty || !rest.isEmpty {
            let room = countMax - taken.count
            let freshCount = min(fresh.count, max(room - rest.count, (room + 1) / 2))
            let restCount = min(rest.count, room - freshCount)
            let requests = fresh.prefix(freshCount) + rest.prefix(restCount)
            fresh.removeFirst(freshCount)
            rest.removeFirst(restCount)
            for request in requests {
                guard let entry = readings[request], case .queued = entry.standing else { continue }
                readings[request] = Entry(reading: entry.reading, standing: .read, failures: entry.failures)
                taken.append(entry.reading)
            }
        }
        return taken
    }

    /// A reading that was taken, as it stands now; `hasMore` when it is to go on at once.
    mutating func giveBack(_ reading: Reading, hasMore: Bool, at now: Timestamp) {
        guard let entry = readings[reading.request], case .read = entry.standing else { return }
        readings[reading.request] = Entry(reading: reading, standing: .idle, hasNews: entry.hasNews)
        parties[reading.requester]?.pending.remove(reading.request)
        hasWorked(reading)
        if hasMore, isListened(to: reading.request, of: reading.requester) {
            makeDue(reading.request, isFresh: false)
        } else if hasMore {
            // What was begun for a page ends soon after it: the rest is read when the next one is asked for.
            readings[reading.request]?.standing = .resting
            parties[reading.requester]?.pending.insert(reading.request)
        } else if entry.hasNews {
            mayHaveNews(reading.request, isFresh: true, at: now)
        }
    }

    /// A reading that was taken and could not go on. It is not caught up until it has.
    mutating func failed(_ reading: Reading) {
        guard var entry = readings[reading.request], case .read = entry.standing else { return }
        entry.standing = .failed
        entry.failures += 1
        readings[reading.request] = entry
        failing.insert(reading.request)
        if entry.failures >= Self.failuresMax { parties[reading.requester]?.stuck.insert(reading.request) }
    }
}
