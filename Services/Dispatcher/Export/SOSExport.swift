import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service

/// `dispatcher.export` (ACC-13): the enrolment with its contacts, own limits, what they were told, and the emergencies with all that was handed over.
struct SOSExport: Sendable {
    private struct Incident: Encodable {
        let incident: IncidentView
        /// What the ambulance service was told; absent where it cannot be read.
        let details: IncidentDetails?
    }

    private struct Thresholds: Encodable {
        let own: PersonalThresholds?
        let changedAt: Timestamp?
        let proposal: ThresholdsProposal?
        let proposedAt: Timestamp?
    }

    private struct Cursor: Codable {
        let openedAt: Timestamp
        let id: UUID
    }

    let enrolments: EnrolmentStore
    let thresholds: ThresholdsStore
    let incidents: IncidentStore
    let contacts: OwnContacts
    let subscriptions: SubscriptionStore

    func page(_ params: Exports.Params) async throws -> Exports.Page {
        let cursor = try params.cursor(as: Cursor.self)
        var files = ExportFiles()
        if cursor == nil {
            let enrolment = try await enrolments.find(params.accountID)
            try files.add("sos/enrolment.json", json: enrolment.map { EnrolmentView($0) })
            let known = try await thresholds.find(params.accountID)
            let isEmpty = known.own == nil && known.proposal == nil
            try files.add(
                "sos/thresholds.json",
                json: isEmpty
                    ? nil
                    : Thresholds(
                        own: known.own, changedAt: known.changedAt, proposal: known.proposal,
                        proposedAt: known.proposedAt))
            let invoices = try await subscriptions.invoices(of: params.accountID)
            try files.add("sos/invoices.json", json: invoices.isEmpty ? nil : invoices.map(InvoiceView.init))
            if let enrolment, !enrolment.details.contacts.isEmpty {
                try files.add(
                    "sos/contacts.json", json: try await contacts.view(enrolment.details, of: params.accountID))
            }
        }
        let page = try await incidents.list(of: params.accountID, after: cursor.map { ($0.openedAt, $0.id) })
        var lines: [Incident] = []
        for listed in page {
            let view = try await incidents.view(listed.id, of: params.accountID) ?? listed
            lines.append(Incident(incident: view, details: try await incidents.details(of: listed.id)))
        }
        try files.add("sos/incidents.jsonl", lines: lines)
        let last = page.count == IncidentStore.pageMax ? page.last : nil
        return try Exports.Page(files.pieces, continuing: last.map { Cursor(openedAt: $0.openedAt, id: $0.id) })
    }
}
