import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service

/// `track4run.export` (ACC-13): the runs that somebody organises, with their courses, and takes part in, with the results.
struct RunExport: Sendable {
    private static let runsMax = 100

    private struct Organised: Encodable {
        let run: RunView
        let createdAt: Timestamp
    }

    private struct Enrolled: Encodable {
        let run: RunView
        let bib: Int
        /// As the organiser and the ranking have it.
        let name: String
        let state: Enrolment.State
        let enrolledAt: Timestamp
        let leftAt: Timestamp?
        let sharesHeartRate: Bool
        /// The official result, and what it rests on.
        let result: Ranking.Stored?
    }

    private enum Part: String, Codable {
        case organised, enrolled
    }

    private struct Cursor: Codable {
        var part = Part.organised
        var after: UUID?
    }

    let store: Store
    let runs: RunStore

    func page(_ params: Exports.Params) async throws -> Exports.Page {
        let cursor: Cursor = try params.cursor() ?? Cursor()
        var files = ExportFiles()
        let ids: [UUID]
        switch cursor.part {
        case .organised:
            ids = try await organised(params.accountID, after: cursor.after, &files)
        case .enrolled:
            ids = try await enrolled(params.accountID, after: cursor.after, &files)
        }
        var next: Cursor?
        if ids.count == Self.runsMax {
            next = Cursor(part: cursor.part, after: ids.last)
        } else if cursor.part == .organised, params.kind == .individual {
            next = Cursor(part: .enrolled)
        }
        return try Exports.Page(files.pieces, continuing: next)
    }

    private func organised(
        _ account: UUID, after: UUID?, _ files: inout ExportFiles
    ) async throws -> [UUID] {
        let rows = try await store.database.query(
            """
            select id, created_at from run where organiser_id = \(account) and (\(after)::uuid is null or id > \(after))
            order by id limit \(Self.runsMax)
            """, as: UUID.self, Timestamp.self)
        var lines: [Organised] = []
        for (id, createdAt) in rows {
            let run = try await reporting("a run cannot be read", of: id, to: store.log) {
                try await view(of: id, withCourse: true)
            }
            if let run = run ?? nil { lines.append(Organised(run: run, createdAt: createdAt)) }
        }
        try files.add("runs/organised.jsonl", lines: lines)
        return rows.map(\.0)
    }

    private func enrolled(
        _ account: UUID, after: UUID?, _ files: inout ExportFiles
    ) async throws -> [UUID] {
        let rows = try await store.database.query(
            """
            select e.run_id, e.bib, e.name, e.state, e.enrolled_at, e.left_at, e.shares_heart_rate, r.content
            from enrolment e left join result r on r.run_id = e.run_id and r.runner_id = e.runner_id
            where e.runner_id = \(account) and (\(after)::uuid is null or e.run_id > \(after))
            order by e.run_id limit \(Self.runsMax)
            """,
            as: UUID.self, Int32.self, [UInt8].self, Enrolment.State.self, Timestamp.self, Timestamp?.self, Bool.self,
            [UInt8]?.self)
        let held = try await store.keys.keySet(of: [account])
        var lines: [Enrolled] = []
        for (id, bib, name, state, enrolledAt, leftAt, sharesHeartRate, content) in rows {
            let line = try await reporting("an enrolment cannot be read", of: id, to: store.log) { () -> Enrolled? in
                guard let run = try await view(of: id, withCourse: false) else { return nil }
                let (key, row) = (try held.key(of: account), [id, account])
                return Enrolled(
                    run: run, bib: Int(bib), name: try PersonalColumn.runnerName.open(name, row: row, with: key),
                    state: state, enrolledAt: enrolledAt, leftAt: leftAt, sharesHeartRate: sharesHeartRate,
                    result: try content.map {
                        try PersonalColumn.result.open($0, as: Ranking.Stored.self, row: row, with: key)
                    })
            }
            if let line = line ?? nil { lines.append(line) }
        }
        try files.add("runs/enrolments.jsonl", lines: lines)
        return rows.map(\.0)
    }

    private func view(of id: UUID, withCourse: Bool) async throws -> RunView? {
        guard let run = try await runs.run(id, in: store.database) else { return nil }
        let now = store.clock.now()
        guard withCourse, let course = try await runs.course(of: id, in: store.database) else {
            return RunView(run, at: now)
        }
        return RunView(run, course, at: now)
    }
}
