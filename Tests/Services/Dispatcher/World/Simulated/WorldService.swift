import HTTP
import Primitives
import Reactor
import SeededRandom
import Service

@testable import Dispatcher

/// An ambulance service behind its hook: what it has received, whether it comes, and how it answers, or lies.
final class WorldService: @unchecked Sendable {
    static let names = ["north", "south", "west"]

    enum Condition: Sendable, Equatable {
        case well
        /// Refuses connections.
        case isAway
        /// 503.
        case fails
        /// Takes the message in, or not, and does not answer.
        case hangs
        /// Answers 2xx and forgets.
        case forgets
    }

    enum Kind: String, Sendable { case alert, update, cancel, resolved }

    /// An incident, as the people there know it.
    struct Known {
        /// Of the newest message.
        var number = 0
        var kind = Kind.alert
        var isDecided = false
        /// It was answered that the acceptance counts.
        var acceptedAt: Double?
        var isGoing = false
        /// When it decided to come, the last time that this was answered.
        var comesSince: Timestamp?
        /// It was answered that it need not come, since the newest message.
        var isRefused = false
    }

    let name: String
    private unowned let world: World
    var condition = Condition.well
    private(set) var known: [UUID: Known] = [:]
    /// Of which it has lost a message that it had answered with 2xx.
    private(set) var forgotten: Set<UUID> = []
    private var calls = 0

    init(_ name: String, in world: World) { (self.name, self.world) = (name, world) }

    static func hook(_ name: String) -> Hook {
        Hook(
            name: name, url: HTTPURL("http://127.0.0.1:1/\(name)")!, secrets: [], area: nil, allowsPrivate: true,
            isProbed: false)
    }

    // MARK: Messages

    func receive(_ incident: UUID, _ number: Int, _ kind: Kind) {
        guard condition != .forgets else {
            forgotten.insert(incident)
            return
        }
        var now = known[incident] ?? Known()
        // The numbers say what is a repeat, and what came late.
        guard number > now.number else { return }
        (now.number, now.kind) = (number, kind)
        let isOver = kind == .cancel || kind == .resolved
        let isNew = !now.isDecided && !isOver
        // Who is called anew after a cancellation decides anew.
        now.isDecided = !isOver
        if isOver { now.isGoing = false }
        now.isRefused = false
        known[incident] = now
        world.tell("\(name) gets message \(number) (\(kind.rawValue)) of \(incident)")
        if isNew { world.loop.task { [self] in await decide(incident) } }
    }

    // MARK: Decisions

    private enum Plan { case accept, acceptTwice, acceptAndHandBack, reject, ignore }

    private func decide(_ incident: UUID) async {
        var plan = world.random.weighted([
            (8, Plan.accept), (2, .acceptTwice), (1, .acceptAndHandBack), (1, .reject), (2, .ignore),
        ])
        var delay = world.random.weighted([(6, 1.0...6.0), (2, 0.05...1.0), (1, 60.0...95.0)])
        // Who had accepted before its cancellation, and is called anew, comes.
        if known[incident]?.acceptedAt != nil { (plan, delay) = (.accept, 0.05...3) }
        guard plan != .ignore, await world.sleep(world.random.value(in: delay)) else { return }
        let call = self.call()
        guard plan != .reject else {
            known[incident]?.isGoing = false
            _ = await say("rejected", .rejected(name, call), of: incident)
            return
        }
        guard await say("accepted", .accepted(name, call), of: incident) == .done else { return }
        if plan == .acceptTwice { _ = await say("accepted again", .accepted(name, call), of: incident) }
        guard plan == .acceptAndHandBack, await world.sleep(world.random.value(in: 3...25)),
            known[incident]?.isGoing == true
        else { return }
        known[incident]?.isGoing = false
        _ = await say("rejected after that", .rejected(name, self.call()), of: incident)
    }

    private func call() -> Incident.CallBack {
        calls += 1
        return .init(id: "\(name) \(calls)", sentAt: World.wallStart + .microseconds(Int64(world.now * 1_000_000)))
    }

    /// As `CallbackRoutes`; whoever is not answered sends it again, to whoever answers.
    private func say(_ what: String, _ event: IncidentEvent, of incident: UUID) async -> IncidentVerdict? {
        for _ in 0..<120 {
            let living = world.livingProcesses.filter(\.isServing)
            if !living.isEmpty {
                let process = world.random.element(of: living)
                let begun = world.now
                do {
                    let verdict = try await process.desk.decide(event, of: incident, at: process.standby.clock.now())
                    guard !process.isDead else { throw WorldFollower.LostPart() }
                    if verdict == .done { process.desk.changed(incident) }
                    if let verdict {
                        world.tell("\(name) has \(what) \(incident) at replica \(process.place): \(verdict)")
                        answered(event, verdict, of: incident, askedAt: begun)
                        return verdict
                    }
                } catch {}
            }
            guard await world.sleep(1) else { return nil }
        }
        return nil
    }

    private func answered(_ event: IncidentEvent, _ verdict: IncidentVerdict, of incident: UUID, askedAt: Double) {
        switch (event, verdict) {
        case (.accepted, .done), (.accepted, .repeated):
            let before = known[incident]?.acceptedAt
            known[incident]?.acceptedAt = before ?? world.now
            if case .accepted(_, let call?) = event {
                let since = known[incident]?.comesSince ?? call.sentAt
                known[incident]?.comesSince = max(since, call.sentAt)
            }
            // That it need not come may have been quicker than the answer.
            if let kind = known[incident]?.kind, kind == .alert || kind == .update { known[incident]?.isGoing = true }
            world.watch.accepted(incident, by: self, isNew: verdict == .done, askedAt: askedAt)
        // It need not come, until it is called anew.
        case (.accepted, .acceptedByAnother), (.accepted, .closed):
            known[incident]?.isDecided = false
            known[incident]?.isGoing = false
            known[incident]?.isRefused = true
        // It does not come, and need not: it is over, or another one has it.
        case (.rejected, .done), (.rejected, .repeated), (.rejected, .acceptedByAnother), (.rejected, .closed):
            // What it has decided before it accepted is no word on that.
            if case .rejected(_, let call?, _) = event, let since = known[incident]?.comesSince, call.sentAt < since {
                break
            }
            known[incident]?.isGoing = false
            known[incident]?.acceptedAt = nil
        default: break
        }
    }
}

/// The way to the hooks.
struct WorldCaller: HookCalling {
    private unowned let process: WorldProcess

    init(_ process: WorldProcess) { self.process = process }

    func call(_ hook: Hook, id: String, body: [UInt8], deadline: Deadline) async throws(HookCaller.Failure) {
        let world = process.world
        guard !process.isDead, let service = world.services.first(where: { $0.name == hook.name }),
            let incident = UUID(String(id.prefix(36))), var number = Int(id.dropFirst(37)), let kind = Self.kind(body)
        else { throw .connection }
        world.step(process)
        guard !process.isDead else { throw .connection }
        world.tell("replica \(process.place) calls \(hook.name): message \(number) (\(kind.rawValue)) of \(incident)")
        world.watch.called(incident, service, kind, by: process)
        if world.mutant == .cancellationBeforeAlert, kind == .cancel { number = 0 }
        _ = await world.sleep(world.random.value(in: 0.003...0.06))
        switch service.condition {
        case .isAway: throw .connection
        case .fails: throw .status(503)
        case .hangs:
            if world.random.index(below: 2) == 0 { service.receive(incident, number, kind) }
            do throws(IOError) { try await world.loop.sleep(until: deadline) } catch { throw .other }
            throw .timedOut
        case .well, .forgets: service.receive(incident, number, kind)
        }
        world.step(process)
        _ = await world.sleep(world.random.value(in: 0.001...0.03))
        guard !process.isDead else { throw .connection }
        world.watch.received(incident, service, kind)
    }

    /// `incident.message`: the first member of that name.
    private static func kind(_ body: [UInt8]) -> WorldService.Kind? {
        let name = Array(#""message":""#.utf8)
        var index = 0
        while index + name.count < body.count {
            if body[index..<index + name.count].elementsEqual(name) {
                let word = body[(index + name.count)...].prefix { $0 != UInt8(ascii: "\"") }
                return WorldService.Kind(rawValue: String(decoding: word, as: UTF8.self))
            }
            index += 1
        }
        return nil
    }
}
