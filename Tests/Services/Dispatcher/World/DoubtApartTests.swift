import Primitives
import Testing

@testable import Dispatcher

/// Of a service that has accepted, and was told on one side that it need not come, nobody knows whether it does.
@Suite struct DoubtApartTests {
    private typealias Later = (second: Double, event: (IncidentJournal) -> IncidentEvent)

    private let rows = RowsApart()
    private let isWell = Later(6, { _ in .calledOff })
    private let isTold = Later(7, { .received("north", number: $0.incident.lastNumber) })
    private let accepts = Later(5, { _ in .acceptedApart("north", .said("yes"), at: age(5)) })

    /// An incident that north has received.
    private var incident: Incident {
        rows.row([(0, .handOverBegun("north")), (1, .received("north", number: 1))]).incident.numbered(from: start)
    }

    private func row(_ incident: Incident) -> WorldRow {
        var row = rows.row([])
        row.incident = incident
        return row
    }

    /// What one side has of it, or of another one, after these events.
    private func journal(_ events: [Later], of known: Incident? = nil) -> IncidentJournal {
        var journal = IncidentJournal(rows.opened(rows.incidentID, at: start, known ?? incident))
        for (second, event) in events { journal.add(event(journal), at: age(second)) }
        return journal
    }

    private func settle(_ journal: IncidentJournal, over row: WorldRow) async throws -> WorldRow {
        var here = JournalledIncident(rows.incidentID)
        here.events = journal.unwritten.map(\.journalled)
        return try #require(try await rows.settle(here, over: row)[rows.incidentID])
    }

    /// The incident in which the button was pressed at 9 s on the other side, and this has happened there since.
    private func pressed(_ events: [(second: Double, event: IncidentEvent)] = []) -> WorldRow {
        var there = incident
        for (second, event) in [(9, .calledByHand)] + events { _ = there.apply(event, at: age(second)) }
        return row(there)
    }

    /// An incident that south was called about as well; and on the other side south has accepted it at 3 s, before the button was pressed.
    private var bySouth: (begun: Incident, there: Incident) {
        var begun = incident
        _ = begun.apply(.handOverBegun("south"), at: age(1))
        var there = begun
        _ = there.apply(.accepted("south", .said("south")), at: age(3))
        _ = there.apply(.calledByHand, at: age(9))
        return (begun, there)
    }

    private func due(_ incident: Incident, _ hook: String) -> Incident.Message? {
        incident.handOver(to: hook)?.dueNumber.flatMap(incident.message)
    }

    @Test(
        "SOS-07a SOS-07c SOS-08c: who has accepted, and was told that all is well, gets a cancellation and then an alert of a later press",
        arguments: [false, true])
    func toldThatAllIsWell(_ hasHeardOfPress: Bool) async throws {
        for later in [[isWell], [isWell, isTold], [(6, { _ in .resolved("north", .said("over")) })]] {
            let here = journal([accepts] + later)
            var there = pressed()
            if hasHeardOfPress {
                _ = there.incident.apply(.received("north", number: there.incident.lastNumber), at: age(9.1))
            }
            var settled = try await settle(here, over: there)
            #expect(settled.incident.stage == .unaccepted && settled.incident.acceptedBy == nil)
            #expect(settled.steps.contains { $0.kind == .accepted && $0.hook == "north" && $0.at == time(5) })
            let cancelled = try #require(settled.incident.handOver(to: "north"))
            let message = try #require(due(settled.incident, "north"))
            #expect(cancelled.isOutstanding && message.number > here.incident.lastNumber)
            #expect(message.kind == .cancel && message.reason == .falseAlarm)
            // Nobody else is called while that takes no longer than a receipt may.
            let (times, at) = (HandOverTimes(), cancelled.begunAt)
            var calls = CallSchedule()
            #expect(
                settled.incident.due(at: at, hooks: ["north", "south"], times: times, calls: &calls)
                    == [.call(hook: "north", number: message.number)])
            _ = settled.incident.apply(.received("north", number: message.number), at: at)
            let called = try #require(settled.incident.handOver(to: "north"))
            #expect(called.isOutstanding && !called.isWithdrawn && called.firstNumber > message.number)
            #expect(due(settled.incident, "north")?.kind == .report)
            // The same acceptance, which another side has had before, is none of that.
            let copy = settled.incident.apply(.acceptedApart("north", .said("yes"), at: age(4)), at: at)
            #expect(copy.verdict == .acceptedByAnother && settled.incident.stage == .unaccepted)
            _ = settled.incident.apply(.accepted("north", .said("again")), at: at + .seconds(3))
            #expect(settled.incident.acceptedBy == "north")
        }
    }

    @Test("SOS-07b SOS-13: who cannot be told that all was well holds up nobody, and is called all the same")
    func cannotBeTold() async throws {
        for later in [[isWell], [isWell, isTold]] {
            var incident = try await settle(journal([accepts] + later), over: pressed()).incident
            let times = HandOverTimes()
            let (begunAt, number) = try #require(incident.handOver(to: "north").map { ($0.begunAt, $0.dueNumber) })
            func actions(_ hooks: [String]) -> [Incident.Action] {
                var calls = CallSchedule()
                return incident.due(at: begunAt + times.receiptMax, hooks: hooks, times: times, calls: &calls)
            }
            let wakeAt = incident.wakeAt(hooks: ["north"], times: times, calls: CallSchedule())
            #expect(wakeAt.map { $0 <= begunAt + times.receiptMax } == true)
            #expect(actions(["north", "south"]).contains(.begin(hook: "south")))
            #expect(actions(["north"]).contains(.alarmOperator(.exhausted, hook: "north")))
            #expect(!actions(["north"]).contains(.begin(hook: "north")))
            // Who accepts meanwhile has a newer message to get than that cancellation.
            var other = incident
            _ = other.apply(.accepted("north"), at: begunAt + .seconds(1))
            #expect(other.acceptedBy == "north" && due(other, "north")?.number ?? 0 > number ?? .max)
            // Called again after the operator was alarmed about it, the operator hears of it again.
            _ = incident.apply(.operatorAlarmed(.noReceipt, hook: "north"), at: begunAt + times.receiptMax)
            _ = incident.apply(.withdrawalGivenUp("north"), at: begunAt + times.cancellationMax)
            #expect(incident.handOver(to: "north")?.isWithdrawn == false && !incident.alarmed.contains("north"))
            #expect(incident.handOver(to: "north")?.firstNumber ?? 0 > number ?? .max)
        }
    }

    @Test(
        "SOS-07c SOS-08c: who has accepted on the other side comes, whatever one was told there that had accepted before"
    )
    func otherComes() async throws {
        let here = journal([accepts, isWell, isTold])
        let settled = try await settle(here, over: pressed([(9.5, .accepted("south"))])).incident
        #expect(settled.acceptedBy == "south" && settled.stage == .accepted)
        #expect(settled.handOver(to: "south")?.isWithdrawn == false)
        #expect(due(settled, "north")?.kind == .cancel && due(settled, "north")?.reason == .acceptedByAnother)
    }

    @Test(
        "SOS-07c SOS-08c: an acceptance that the database has already is in doubt as well, unless it was said again since"
    )
    func acceptedBefore() async throws {
        let told = journal([isWell, isTold])
        for (second, event, isInDoubt) in [
            (5.0, IncidentEvent.accepted("north", .said("yes")), true),
            (9.5, .accepted("north", .said("again")), false),
            (9.5, .progress("north", .dispatched), false), (9.5, .progress("north", .received), true),
            // Before it received the cancellation, or said before that; and an old one that is refused.
            (6.5, .progress("north", .dispatched), true), (9.5, .progress("north", .dispatched, .said("on", 6)), true),
        ] {
            var there = incident
            _ = there.apply(.accepted("north", .said("yes")), at: age(5))
            _ = there.apply(.calledByHand, at: age(9))
            if second > 5 { _ = there.apply(event, at: age(second)) }
            let settled = try await settle(told, over: row(there)).incident
            #expect((settled.stage == .unaccepted) == isInDoubt && settled.isInDoubt("north") == isInDoubt)
        }
    }

    @Test("SOS-07c SOS-08c: who has said since that it comes, or was told nothing, comes to a later press")
    func comesAllTheSame() async throws {
        for said in [IncidentEvent.acceptedApart("north", at: age(8.5)), .progress("north", .dispatched)] {
            let settled = try await settle(journal([accepts, isWell, isTold, (8.5, { _ in said })]), over: pressed())
            #expect(settled.incident.acceptedBy == "north" && settled.incident.stage == .accepted)
        }
        for (basis, isInDoubt) in [
            (JournalEntry.Basis(revision: 0, number: 2, own: 2, told: ["south": 2], ended: ["south": 2]), false),
            (nil, true),
        ] {
            var here = JournalledIncident(rows.incidentID)
            here.events = [
                .init(id: .random(), at: time(5), event: .acceptedApart("north", at: age(5))),
                .init(id: .random(), at: time(6), event: .calledOff, basis: basis),
            ]
            let settled = try await rows.settle(here, over: pressed())[rows.incidentID]?.incident
            #expect(settled?.isInDoubt("north") == isInDoubt)
        }
    }

    @Test(
        "SOS-07c SOS-08c: an end that was told, and is settled first, voids an acceptance from before it that is settled later"
    )
    func endFirst() async throws {
        var settled = try await settle(journal([isWell, isTold]), over: pressed())
        #expect(settled.incident.stage == .unaccepted && !settled.incident.isInDoubt("north"))
        settled = try await settle(journal([accepts]), over: settled)
        #expect(settled.incident.isInDoubt("north"))
        // Nor does it take anything from who comes, or come after who hands back.
        var other = try await settle(
            journal([isWell, isTold]), over: pressed([(9.5, .accepted("south", .said("south")))]))
        other = try await settle(journal([accepts]), over: other)
        #expect(other.incident.acceptedBy == "south" && due(other.incident, "north")?.kind == .cancel)
        _ = other.incident.apply(.rejected("south", .said("no")), at: age(20))
        #expect(other.incident.stage == .unaccepted)
        // One from after that end counts.
        let later = journal([(9.6, { _ in .acceptedApart("north", .said("later"), at: age(9.6)) })])
        #expect(try await settle(later, over: settled).incident.acceptedBy == "north")
    }

    @Test(
        "SOS-07c SOS-08c: who has given way, and was told that all is well, does not come after all"
    )
    func givenWayBefore() async throws {
        let begun = bySouth.begun
        var there = bySouth.there
        let here = journal([accepts, isWell], of: begun)
        var settled = try await settle(here, over: row(there)).incident
        #expect(settled.acceptedBy == "south" && due(settled, "north")?.kind == .cancel)
        // South was told there that north comes: it has a newer message to get.
        #expect(due(settled, "south")?.number ?? 0 > here.incident.lastNumber)
        _ = settled.apply(.rejected("south", .said("no", 20)), at: age(20))
        #expect(settled.stage == .unaccepted)
        // Where that was known before the end was.
        _ = there.apply(.acceptedApart("north", .said("yes"), at: age(5)), at: age(10))
        var known = try await settle(journal([isWell, isTold]), over: row(there)).incident
        #expect(known.acceptedBy == "south")
        _ = known.apply(.rejected("south", .said("no", 20)), at: age(20))
        #expect(known.stage == .unaccepted)
    }

    @Test("SOS-07c SOS-08c: who was told only that another one comes goes on being the one that does")
    func toldOfAnother() async throws {
        let begun = bySouth.begun
        var there = bySouth.there
        _ = there.apply(.progress("south", .dispatched, .said("on", 9.5)), at: age(9.5))
        // North was earlier there, and was told that it is over, or has said so.
        for end in [IncidentEvent.calledOff, .resolved("north", .said("over"))] {
            let earlier = Later(2, { _ in .acceptedApart("north", .said("yes"), at: age(2)) })
            let here = journal([earlier, (6, { _ in end })], of: begun)
            #expect(here.unwritten.last?.journalled.basis?.told?.count == 2)
            #expect(here.unwritten.last?.journalled.basis?.ended?.keys.sorted() == ["north"])
            let settled = try await settle(here, over: row(there)).incident
            #expect(settled.acceptedBy == "south" && settled.stage == .accepted && settled.help?.dispatchedAt != nil)
            #expect(due(settled, "south")?.kind == .report && due(settled, "north")?.kind == .cancel)
        }
    }

    @Test(
        "SOS-07a SOS-07c: a cancellation that arrives after newer messages stops nobody who has accepted since the press"
    )
    func receivedLate() async throws {
        let late = journal([isWell, (700, { .received("north", number: $0.incident.lastNumber) })])
        var there = pressed()
        _ = there.incident.apply(.received("north", number: there.incident.lastNumber), at: age(9.2))
        for (second, event) in [
            (12.0, IncidentEvent.accepted("north", .said("again", 12))),
            (600, .progress("north", .onScene, .said("there", 600))),
        ] { _ = there.incident.apply(event, at: age(second)) }
        let settled = try await settle(late, over: there).incident
        #expect(settled.acceptedBy == "north" && settled.help?.onSceneAt == age(600))
    }

    @Test("SOS-07a SOS-07c: who reports that it comes, and stands down when the cancellation arrives, is asked anew")
    func standsDown() async throws {
        let late = journal([isWell, (60, { .received("north", number: $0.incident.lastNumber) })])
        for isPressReceived in [false, true] {
            var there = incident
            for (second, event) in [
                (5.0, IncidentEvent.accepted("north", .said("yes", 5))),
                (30, .progress("north", .dispatched, .said("on", 30))), (90, .calledByHand),
            ] { _ = there.apply(event, at: age(second)) }
            if isPressReceived { _ = there.apply(.received("north", number: there.lastNumber), at: age(91)) }
            #expect(try await settle(late, over: row(there)).incident.isInDoubt("north"))
        }
    }

    @Test(
        "SOS-07c: what was accepted before our own cancellation counts for nothing, what is accepted right after it does"
    )
    func afterOwnCancellation() async throws {
        var incident = try await settle(journal([accepts, isWell]), over: pressed()).incident
        let number = try #require(due(incident, "north")?.number)
        _ = incident.apply(.received("north", number: number), at: age(100))
        for (second, counts) in [(9.6, false), (100.3, true)] {
            let told = IncidentEvent.acceptedApart("north", .said("other"), at: age(second))
            let settled = try await settle(journal([(second, { _ in told })]), over: row(incident)).incident
            #expect((settled.acceptedBy == "north") == counts)
        }
    }

    @Test("SOS-13: whoever goes on with what it accepted comes, though another side was told that it is over")
    func goesOn() async throws {
        let there = try await settle(journal([isWell, isTold]), over: pressed())
        let said: [Later] = [accepts, (20, { _ in .progress("north", .dispatched, .said("on", 20)) })]
        let comes = try await settle(journal(said), over: there).incident
        #expect(comes.acceptedBy == "north" && comes.help?.dispatchedAt != nil)
        let over = try await settle(journal(said + [(30, { _ in .resolved("north", .said("over", 30)) })]), over: there)
        #expect(over.incident.outcome == .resolved)
    }

    @Test("SOS-07c: who rejected, and accepted after that, hears first that it need not come, too")
    func rejectedBefore() async throws {
        var there = incident
        _ = there.apply(.rejected("north", .said("no", 2)), at: age(2))
        _ = there.apply(.calledByHand, at: age(9))
        let later: Later = (5, { _ in .acceptedApart("north", .said("yes", 5), at: age(5)) })
        let settled = try await settle(journal([later, isWell]), over: row(there)).incident
        #expect(settled.isInDoubt("north") && due(settled, "north")?.kind == .cancel)
    }

    @Test("SOS-07b SOS-07c: an acceptance from before all was well takes nothing from who is asked now")
    func asked() async throws {
        for isEndKnown in [true, false] {
            var there = pressed([(9.1, .received("north", number: 1)), (99, .handOverBegun("south"))])
            let ends = journal([isWell, isTold])
            if isEndKnown { there = try await settle(ends, over: there) }
            let settled = try await settle(
                isEndKnown ? journal([accepts]) : journal([accepts, isWell, isTold]), over: there)
            let south = try #require(settled.incident.handOver(to: "south"))
            #expect(settled.incident.stage == .unaccepted && !south.isWithdrawn && south.isOutstanding)
            #expect(due(settled.incident, "south")?.kind == .report && due(settled.incident, "north")?.kind == .cancel)
            #expect(settled.steps.contains { $0.kind == .accepted && $0.hook == "north" && $0.detail == "apart" })
            // Known from another side as well it changes nothing.
            let again = try await settle(journal([accepts]), over: settled)
            #expect(
                again.incident.handOver(to: "north")?.dueNumber == settled.incident.handOver(to: "north")?.dueNumber)
        }
    }

    @Test(
        "SOS-07c SOS-08c: who may believe that it comes is called anew only once it has its cancellation, whoever is asked meanwhile"
    )
    func cancelledFirst() async throws {
        let there = pressed([(99, .handOverBegun("south"))])
        var incident = try await settle(journal([accepts, isWell]), over: there).incident
        let (times, number) = (HandOverTimes(), try #require(due(incident, "north")?.number))
        func next(_ at: IncidentAge) -> [Incident.Action] {
            var calls = CallSchedule()
            return incident.due(at: at, hooks: ["north", "south"], times: times, calls: &calls)
        }
        _ = incident.apply(.rejected("south", .said("no", 101)), at: age(101))
        #expect(next(age(101)).contains(.call(hook: "north", number: number)))
        #expect(!next(age(101)).contains(.begin(hook: "north")))
        #expect(next(age(101)).contains(.alarmOperator(.exhausted, hook: "south")))
        _ = incident.apply(.received("north", number: number), at: age(102))
        #expect(next(age(102)).contains(.begin(hook: "north")))
        _ = incident.apply(.handOverBegun("north"), at: age(102))
        #expect(due(incident, "north")?.kind == .report && due(incident, "north")?.number ?? 0 > number)
    }

    @Test("SOS-07c: an old call of who is told so first does not drop the cancellation")
    func oldCall() async throws {
        var incident = try await settle(journal([accepts, isWell]), over: pressed()).incident
        let (number, begunAt) = try #require(incident.handOver(to: "north").map { ($0.dueNumber, $0.begunAt) })
        #expect(incident.apply(.handOverBegun("north"), at: begunAt + .seconds(-1)).verdict == .repeated)
        #expect(incident.handOver(to: "north")?.dueNumber == number && incident.isInDoubt("north"))
    }

    @Test(
        "SOS-07c: who comes after all is known by the acceptance by which it gave way, also where it was called again since"
    )
    func gaveWay() {
        var incident = incident
        _ = incident.apply(.accepted("south", .said("south")), at: age(3))
        _ = incident.apply(.acceptedApart("north", .said("yes"), at: age(5)), at: age(14))
        _ = incident.apply(.handOverBegun("north"), at: age(20))
        _ = incident.apply(.rejected("south", .said("no")), at: age(21))
        #expect(incident.acceptedBy == "north" && incident.handOver(to: "north")?.acceptance == "yes")
    }

    @Test(
        "SOS-13: a resolution counts that was told before an emergency which was known then is found again elsewhere")
    func resolvedBefore() async throws {
        let id = UUID(high: 5, low: 9)
        let here = journal([
            (4, { _ in .emergency(cause: "heart-rate", id: id) }), accepts, (30, { _ in .resolved("north") }),
        ])
        var there = incident
        _ = there.apply(.emergency(cause: "heart-rate", id: id), at: age(35))
        let settled = try await settle(here, over: row(there)).incident
        #expect(settled.stage == .closed && settled.outcome == .resolved)
    }

    // MARK: Refused

    private let refused = Later(12, { _ in .refused("north", .said("yes")) })
    private let southAccepts = Later(11, { _ in .acceptedApart("south", .said("south"), at: age(11)) })

    @Test(
        "SOS-07c SOS-07a: an acceptance that was answered nowhere, and refused on the other side, does not count, whichever is settled first"
    )
    func refusedApart() async throws {
        let sides = [journal([accepts]), journal([southAccepts, refused])]
        for order in [sides, sides.reversed()] {
            var settled = row(incident)
            for side in order { settled = try await settle(side, over: settled) }
            #expect(settled.incident.acceptedBy == "south" && settled.incident.acceptedAt == age(11))
            #expect(due(settled.incident, "north")?.kind == .cancel && due(settled.incident, "south")?.kind == .report)
        }
        // Where nobody else comes it hears so, and is called anew.
        let alone = try await settle(journal([refused]), over: try await settle(sides[0], over: row(incident)))
        #expect(alone.incident.isInDoubt("north") && due(alone.incident, "north")?.reason == .acceptedByAnother)
        // Another answer to it was later, or it was another acceptance.
        for event in [IncidentEvent.refused("north", .said("other")), .refused("north", .said("yes"))] {
            var there = try await settle(sides[0], over: row(incident))
            if event == .refused("north", .said("yes")) {
                _ = there.incident.apply(.accepted("north", .said("yes")), at: age(13.5))
            }
            let stays = try await settle(journal([(12, { _ in event })]), over: there).incident
            #expect(stays.acceptedBy == "north" && stays.stage == .accepted)
        }
    }

    @Test("SOS-07c: who has given way to an acceptance, and was refused, is not taken for one that comes")
    func refusedAfterGivingWay() async throws {
        for (second, mayCome) in [(12.0, false), (3.5, true)] {
            var there = incident
            _ = there.apply(.accepted("south", .said("south")), at: age(3))
            _ = there.apply(.acceptedApart("north", .said("yes"), at: age(5)), at: age(14))
            for isRefusedFirst in [true, false] {
                var settled = row(there)
                let refused = journal([(second, { _ in .refused("north", .said("yes")) })])
                if isRefusedFirst { settled = try await settle(refused, over: settled) }
                _ = settled.incident.apply(.rejected("south", .said("no")), at: age(15))
                if !isRefusedFirst {
                    #expect(settled.incident.acceptedBy == "north")
                    settled = try await settle(refused, over: settled)
                }
                #expect(settled.incident.acceptedBy == (mayCome ? "north" : nil))
            }
        }
    }

    @Test("SOS-13a: of a service's refusals so many are kept; further ones are not answered")
    func tooMany() {
        let refused = IncidentEvent.refused("north", .said("yes"))
        let events = [IncidentEvent](repeating: refused, count: Incident.refusalsMax)
        #expect(events.haveTooManyRefusals(with: refused) && !events.dropLast().haveTooManyRefusals(with: refused))
        #expect(!events.haveTooManyRefusals(with: .refused("south", .said("yes"))))
        #expect(!events.haveTooManyRefusals(with: .rejected("north")))
    }
}

extension Incident.CallBack {
    fileprivate static func said(_ id: String, _ second: Double = 0) -> Self { .init(id: id, sentAt: time(second)) }
}
