import Contracts
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// `ingestion.read_many` (SUB-01, NFR-02): what `ingestion.read` answers, of many people at once and without waiting; and
/// `ingestion.read_end`.
enum ReadManyMethod {
    private typealias Answer = Ingestion.ReadMany.Answer

    /// `check` is called once, `shard` gives a person's shard. What is handed over is in the audit trail before it is.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter, check: @escaping @Sendable () throws -> Void,
        of shard: @escaping @Sendable (UUID) async throws -> Shard
    ) {
        router.register(Ingestion.ReadMany.self, allow: [ServiceName.query.rawValue]) { params, context in
            try check()
            try self.check(params)
            let entries = try params.reads.map { item throws(RPCError) in
                try ReadMethod.entry(of: item, for: context.caller)
            }
            let end = context.deadline.advanced(by: .zero - ReadMethod.answerTime)
            let answers = limited(try await read(params, of: shard, until: end), params)
            try await audit.note(zip(entries, answers).filter { !$0.1.series.isEmpty }.map(\.0))
            return Ingestion.ReadMany.Result(answers: answers)
        }
        router.register(Ingestion.ReadEnd.self, allow: [ServiceName.query.rawValue]) { params, _ in
            try check()
            let last = try await shard(params.accountID).database.queryOne(
                ReadStore.lastArrival(of: params.accountID), as: Int64.self)
            return Ingestion.ReadEnd.Result(next: .init(after: last ?? 0))
        }
    }

    private static func check(_ params: Ingestion.ReadMany.Params) throws(RPCError) {
        guard (1...Ingestion.ReadMany.readsMax).contains(params.reads.count) else {
            throw RPCError(.invalidParams, "reads must be from 1 to \(Ingestion.ReadMany.readsMax).")
        }
        guard (1...Ingestion.ReadMany.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(Ingestion.ReadMany.samplesMax).")
        }
        for item in params.reads { try ReadMethod.check(item) }
    }

    /// The people of one shard.
    private struct Part: Sendable {
        let method: ReadMethod
        var indices: [Int]
        var items: [Ingestion.ReadMany.Item]
    }

    /// What was read of a part.
    private struct Read: Sendable {
        let indices: [Int]
        let answers: Result<[Answer], any Error>
    }

    /// The shards are read side by side, each as if the others had no samples. One that cannot be read fails its people alone, unless
    /// none can. Not optimised: the compiler (6.3) specialises it to code that retains what is none, and crashes.
    @_optimize(none)
    private static func read(
        _ params: Ingestion.ReadMany.Params, of shard: @escaping @Sendable (UUID) async throws -> Shard,
        until end: Deadline
    ) async throws -> [Answer] {
        var answers = params.reads.map { Answer(outcome: .failed, next: $0.after) }
        var parts: [Int: Part] = [:]
        var failure: (any Error)?
        for (index, item) in params.reads.enumerated() {
            do {
                let found = try await shard(item.accountID)
                parts[found.number, default: Part(method: found.readMethod, indices: [], items: [])].indices.append(
                    index)
                parts[found.number]?.items.append(item)
            } catch {
                guard error is PostgresError else { throw error }
                failure = error
            }
        }
        var isRead = false
        for read in await read(Array(parts.values), samplesMax: params.limit, until: end) {
            switch read.answers {
            case .success(let found):
                isRead = true
                for (index, answer) in zip(read.indices, found) { answers[index] = answer }
            case .failure(let error): failure = error
            }
        }
        try Task.checkCancellation()
        if let failure, !isRead {
            if case IOError.limit = failure { throw RPCError(.overloaded) }
            throw failure
        }
        return answers
    }

    @_optimize(none)
    private static func read(_ parts: [Part], samplesMax: Int, until end: Deadline) async -> [Read] {
        await withTaskGroup(of: Read.self) { group in
            for part in parts {
                group.addTask {
                    do {
                        let answers = try await part.method.read(part.items, samplesMax: samplesMax, until: end)
                        return Read(indices: part.indices, answers: .success(answers))
                    } catch { return Read(indices: part.indices, answers: .failure(error)) }
                }
            }
            var reads: [Read] = []
            for await read in group { reads.append(read) }
            return reads
        }
    }

    /// Without what is behind the limit.
    private static func limited(_ answers: [Answer], _ params: Ingestion.ReadMany.Params) -> [Answer] {
        var count = 0
        return zip(params.reads, answers).map { item, answer in
            guard count < params.limit || answer.series.isEmpty else {
                return Answer(outcome: .read, next: item.after, hasMore: true)
            }
            count += answer.series.reduce(0) { $0 + $1.count }
            return answer
        }
    }
}

extension ReadMethod {
    /// Those of one shard: what arrived lately together, and then one by one where blocks are to be read.
    fileprivate func read(
        _ items: [Item], samplesMax: Int, until end: Deadline
    ) async throws -> [Ingestion.ReadMany.Answer] {
        var answers = items.map { Ingestion.ReadMany.Answer(outcome: .read, next: $0.after, hasMore: true) }
        let isRecent = items.indices.filter { items[$0].after.pass == nil }
        if !isRecent.isEmpty {
            let outcomes = try await recent.read(isRecent.map { items[$0] }, samplesMax: samplesMax)
            for (index, outcome) in zip(isRecent, outcomes) { answers[index] = Self.answer(outcome, of: items[index]) }
        }
        var left = samplesMax - answers.reduce(0) { $0 + $1.series.reduce(0) { $0 + $1.count } }
        for index in items.indices where answers[index].series.isEmpty && answers[index].hasMore {
            guard left > 0, !end.hasPassed, !counters.isStopping else { break }
            var item = items[index]
            item.limit = min(item.limit, left)
            answers[index] = Self.answer(try await further(item, after: answers[index].next, until: end), of: item)
            left -= answers[index].series.reduce(0) { $0 + $1.count }
        }
        return answers
    }

    private func further(
        _ item: Item, after cursor: Ingestion.ReadCursor, until end: Deadline
    ) async throws -> RecentArrivals.Outcome {
        do {
            if item.after.pass != nil { try await requireKnown(item) }
            return .read(try await stored(item, after: cursor, until: end))
        } catch {
            try Task.checkCancellation()
            return error as? RPCError == Self.nothing ? .nothing : .failed(error)
        }
    }

    private static func answer(_ outcome: RecentArrivals.Outcome, of item: Item) -> Ingestion.ReadMany.Answer {
        switch outcome {
        case .read(let result):
            .init(outcome: .read, series: result.series, next: result.next, hasMore: result.hasMore)
        case .nothing: .init(outcome: .nothing, next: item.after)
        case .failed: .init(outcome: .failed, next: item.after)
        }
    }
}
