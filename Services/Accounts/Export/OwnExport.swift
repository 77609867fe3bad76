import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Service

/// What accounts has of an account, as files of an export, with the page that explains the archive.
struct OwnExport: Sendable {
    private struct Named<Value: Encodable>: Encodable {
        let items: Value
    }

    let store: Store
    let formats: MessageFormats
    let sessions: Sessions
    let factor: SecondFactor
    let passkeys: Passkeys

    /// Hands over piece after piece.
    func write(
        _ account: UUID, _ kind: AccountKind, _ take: (Exports.Piece) async throws -> Void
    ) async throws {
        var files = ExportFiles()
        let own = try await Profiles(store: store).own(account)
        try files.add("index.html", Array(ExportGuide.page(kind, own.language).utf8))
        try files.add("account/profile.json", json: own)
        let choices = NotificationChoices(store: store)
        try files.add("account/notifications.json", json: try await choices.own(account, kind))
        try files.add(
            "account/sessions.json",
            json: Named(items: try await sessions.list(of: account, current: nil)))
        try files.add("account/second-factor.json", json: try await factor.state(of: account))
        try files.add("account/passkeys.json", json: Named(items: try await passkeys.list(of: account)))
        switch kind {
        case .individual:
            if let picture = try await Pictures(store: store).get(account) {
                try files.add("account/picture.\(picture.format.suffix)", picture.bytes)
            }
            try files.add("account/agreements.json", json: try await Consents(store: store).own(account))
            try files.add(
                "account/devices.json", json: Named(items: try await Devices(store: store).list(of: account)))
            try files.add("account/collection.json", json: try await DataCollection(store: store).own(account))
            try files.add("account/sources.json", json: try await SourcePreferences(store: store).own(account))
        case .thirdParty, .organiser:
            try files.add(
                "account/programs.json", json: Named(items: try await Clients(store: store).list(of: account)))
        }
        for piece in files.pieces { try await take(piece) }
        try await writeMessages(of: account, take)
    }

    private func writeMessages(of account: UUID, _ take: (Exports.Piece) async throws -> Void) async throws {
        let inbox = Inbox(store: store, formats: formats)
        var last: UUID?
        repeat {
            let page = try await inbox.messages(of: account, before: last)
            var files = ExportFiles()
            try files.add("account/messages.jsonl", lines: page.messages)
            for piece in files.pieces { try await take(piece) }
            last = page.last
        } while last != nil
    }
}
