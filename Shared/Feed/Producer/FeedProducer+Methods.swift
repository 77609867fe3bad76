internal import Postgres
internal import RPC
internal import Reactor

extension FeedProducer {
    /// The part of the caller's time that is kept for the way back.
    private static let answerTime = Duration.milliseconds(20)
    /// Time limit for one look into the table.
    private static let lookTime = Duration.seconds(5)

    /// Answers a long poll. While it waits it holds nothing but its task.
    func read(_ params: FeedRead.Params, _ context: RPCContext) async throws -> FeedRead.Result {
        let (definition, news) = try feed(params.feed, for: context.caller)
        let limit = min(max(1, params.limit), FeedRead.eventsMax)
        let wait = Duration.milliseconds(min(max(0, params.waitMilliseconds), FeedRead.waitMillisecondsMax))
        let end = min(.after(wait), context.deadline.advanced(by: .zero - Self.answerTime))
        let note = { (epoch: String) in
            guard let acknowledged = params.acknowledged, acknowledged.epoch == epoch,
                definition.durable.contains(context.caller)
            else { return }
            self.acknowledgements.note(feed: params.feed, consumer: context.caller, cursor: acknowledged)
        }
        let parts = params.parts ?? .all
        guard parts.isValid else { throw RPCError(.invalidParams, "There are no such parts.") }
        let share = EventReader.Share(
            reader: definition.addressees[context.caller] ?? 0, parts: parts, of: definition)
        var cursor = params.cursor
        var lanes = Array(0..<FeedSchema.laneCount)
        var seen = news.changes.value
        var alarms = news.alarms
        // What is published meanwhile is announced, so a recent look at the table will do: as recent as the caller
        // asks, since another replica's announcement may be lost.
        let fresh = params.freshMilliseconds.map { Duration.milliseconds(max(0, $0)) } ?? .seconds(60)
        if let epoch = news.knownEpoch(within: min(fresh, settings.upkeepInterval * 3)), epoch == params.cursor.epoch {
            note(epoch)
            lanes = news.lanes(beyond: cursor, for: share.reader)
        }
        while true {
            if !lanes.isEmpty {
                let reading = try await reader.read(
                    params.feed, share, after: cursor, lanes: lanes, limit: limit,
                    deadline: min(context.deadline, .after(Self.lookTime)))
                news.learn(segment: reading.segment)
                try Self.requireKept(cursor, reading)
                note(reading.epoch)
                cursor = reading.cursor
                guard reading.events.isEmpty else {
                    let events = try await definition.records(reading.events, for: context.caller)
                    return FeedRead.Result(
                        events: events, cursor: cursor, more: reading.isCut, settled: news.settled(at: cursor))
                }
                // Only events of others so far.
                if reading.isCut {
                    try Task.checkCancellation()
                    guard waits, !end.hasPassed else {
                        return FeedRead.Result(events: [], cursor: cursor, more: true)
                    }
                    continue
                }
            }
            guard waits, !end.hasPassed else {
                return FeedRead.Result(events: [], cursor: cursor, more: false, settled: news.settled(at: cursor))
            }
            lanes = await news.wait(after: seen, alarms: alarms, cursor: cursor, for: share.reader, until: end)
            try Task.checkCancellation()
            (seen, alarms) = (news.changes.value, news.alarms)
        }
    }

    private static func requireKept(_ cursor: FeedCursor, _ reading: EventReader.Reading) throws(RPCError) {
        guard cursor.epoch == reading.epoch else {
            throw RPCError(.gone, "The cursor is of another epoch.", domain: FeedGone.domain)
        }
        for (lane, floor) in reading.floors.positions.enumerated() where cursor.isBehind(lane: lane, floor: floor) {
            throw RPCError(.gone, "What follows the cursor is no longer kept.", domain: FeedGone.domain)
        }
    }

    func snapshot(_ params: FeedSnapshot.Params, _ context: RPCContext) async throws -> FeedSnapshot.Result {
        let (definition, _) = try feed(params.feed, for: context.caller)
        let cursor = params.page == nil ? try await reader.end(of: params.feed, deadline: context.deadline) : nil
        // From here on events are kept for this consumer, so that a long snapshot does not end behind what was trimmed
        // meanwhile.
        if let cursor, params.parts == nil, definition.durable.contains(context.caller) {
            acknowledgements.note(feed: params.feed, consumer: context.caller, cursor: cursor)
        }
        let isBare = definition.bare.contains(context.caller)
        let page = try await isBare ? nil : definition.snapshot?(params.page)
        guard let page else { return FeedSnapshot.Result(entities: [], next: nil, cursor: cursor) }
        return FeedSnapshot.Result(entities: page.entities, next: page.next, cursor: cursor)
    }

    private func feed(_ name: String, for caller: String) throws(RPCError) -> (FeedDefinition, FeedNews) {
        guard let definition = feeds[name], let news = news[name] else {
            throw RPCError(.notFound, "There is no such feed.")
        }
        guard definition.readers.contains(caller) else {
            throw RPCError(.notAllowed, "This client may not follow this feed.")
        }
        guard definition.isHeld?() != true else {
            throw RPCError(.unavailable, "The feed cannot be followed just now; try again soon.")
        }
        return (definition, news)
    }
}

/// The domain that tells `feed.gone` from other errors of the code `gone`.
enum FeedGone {
    static let domain = "feed.gone"
}

extension FeedNews {
    /// Waits for positions beyond `cursor` that concern the reader; returns the lanes to read, none when the time is over.
    func wait(
        after seen: UInt64, alarms: UInt64, cursor: FeedCursor, for reader: Int16, until end: Deadline
    ) async -> [Int] {
        var seen = seen
        while !end.hasPassed, !Task.isCancelled {
            seen = await changes.wait(after: seen, deadline: end)
            if self.alarms != alarms { return Array(0..<FeedSchema.laneCount) }
            let lanes = lanes(beyond: cursor, for: reader)
            if !lanes.isEmpty { return lanes }
        }
        return []
    }
}
