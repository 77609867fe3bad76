import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Service

/// `query.export` (ACC-13): the requests to and by an account, and who received what.
struct RequestExport: Sendable {
    private static let rowsMax = 500
    /// An answer about a group may have hundreds of values.
    private static let questionsMax = 20

    private enum Part: String, Codable, CaseIterable {
        /// To the individual.
        case received
        /// By the company, or for the check-ins of an individual's runs.
        case asked
        case accesses
        /// Of the company.
        case webhooks
        /// Questions of the company about groups.
        case groups
        /// What the company wants mailed.
        case mailing
        /// What the company has to pay, or has paid.
        case invoices

        var path: String {
            switch self {
            case .received: "requests/requests.jsonl"
            case .asked: "requests/asked.jsonl"
            case .accesses: "requests/accesses.jsonl"
            case .webhooks: "requests/webhooks.jsonl"
            case .groups: "requests/groups.jsonl"
            case .mailing: "requests/mailing.json"
            case .invoices: "payments/invoices.jsonl"
            }
        }

        var next: Part? {
            switch self {
            case .received: .asked
            case .asked: .accesses
            case .accesses: .webhooks
            case .webhooks: .mailing
            case .mailing: .groups
            case .groups: .invoices
            case .invoices: nil
            }
        }
    }

    private struct Cursor: Codable {
        var part = Part.received
        var after: ListPosition?
    }

    let life: RequestLife
    let webhooks: WebhookStore

    func page(_ params: Exports.Params) async throws -> Exports.Page {
        let cursor: Cursor = try params.cursor() ?? Cursor()
        var files = ExportFiles()
        let last: ListPosition?
        switch cursor.part {
        case .received:
            let rows = try await life.store.requests(
                to: params.accountID, after: cursor.after, limit: Self.rowsMax, reporting: life.unreadable,
                in: life.database)
            let lastReads = try await AccessLog.lastReads(of: rows.map(\.position.id), in: life.database)
            let lines = rows.compactMap(\.item).map { RequestForIndividual($0, lastReadAt: lastReads[$0.id]) }
            try files.add(cursor.part.path, lines: lines)
            last = Self.last(rows)
        case .asked:
            let rows = try await life.store.requests(
                by: params.accountID, after: cursor.after, limit: Self.rowsMax, reporting: life.unreadable,
                in: life.database)
            try files.add(cursor.part.path, lines: rows.compactMap(\.item).map { RequestForRequester($0) })
            last = Self.last(rows)
        case .accesses:
            let rows = try await AccessLog.entries(
                of: params.accountID, after: cursor.after, limit: Self.rowsMax, store: life.store,
                reporting: life.unreadable, in: life.database)
            try files.add(cursor.part.path, lines: rows.compactMap(\.item))
            last = Self.last(rows)
        case .webhooks:
            let own = try await webhooks.all(
                of: params.accountID, reporting: life.unreadable, in: life.database)
            try files.add(cursor.part.path, lines: own.map { WebhookView($0, at: life.clock.now()) })
            last = nil
        case .groups:
            let history = GroupHistory(database: life.database, clock: life.clock, pricing: life.pricing)
            let questions = try await history.requests(
                of: params.accountID, after: cursor.after, limit: Self.questionsMax)
            try files.add(
                cursor.part.path,
                lines: questions.map { GroupHistoryEntry($0, asksForPayment: life.pricing != nil) })
            last =
                questions.count == Self.questionsMax
                ? questions.last.map { ListPosition($0.askedAt, $0.id) } : nil
        case .mailing:
            let mailing = try await MailingStore(database: life.database, times: MailingTimes())
                .mailing(of: params.accountID)
            try files.add(cursor.part.path, json: mailing.map(MailingView.init))
            last = nil
        case .invoices:
            let invoices = try await InvoiceStore(database: life.database).invoices(
                of: params.accountID, in: nil, after: cursor.after, limit: Self.rowsMax, in: life.database)
            try files.add(cursor.part.path, lines: invoices.map(InvoiceView.init))
            last = Self.last(invoices.map { ListRow(ListPosition($0.createdAt, $0.id), $0) })
        }
        return try Exports.Page(
            files.pieces,
            continuing: last.map { Cursor(part: cursor.part, after: $0) } ?? cursor.part.next.map { Cursor(part: $0) })
    }

    private static func last<Item>(_ rows: [ListRow<Item>]) -> ListPosition? {
        rows.count == rowsMax ? rows.last?.position : nil
    }
}
