import Contracts
import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// What a wearer sees and does in an emergency: the stream, the SOS button, and the same for the own devices (SOS-04, SOS-08,
/// SOS-12, SOS-13).
struct WearerRoutes: Sendable {
    /// Silence after which it is said that nothing has changed; `stream.js` relies on it.
    private static let stillEvery = Duration.seconds(15)
    private static let bodyBytesMax = 4096

    let teller: WearerTeller
    let watch: WearerWatch
    let calls: ManualCalls
    let authenticator: Authenticator
    let clock: any WallClock
    /// Members of what devices send that this version does not know: devices are not upgraded with the service.
    let ignoredMembers: Counter

    func add(to routes: inout ServiceRoutes) {
        let (prefix, wearer, device) = (
            "/dispatcher/v1", Access.account(.individual), Access.device(.sos, takesOverdue: true)
        )
        let body = HTTPBodyPolicy.buffered(bytesMax: Self.bodyBytesMax)
        routes.on(.get, "\(prefix)/me/incidents/stream", access: wearer) { try await follow($0, $1.account, wearer) }
        routes.on(.post, "\(prefix)/sos", access: wearer, body: body) { request, caller in
            try await call(try request.json(ManualCallForm.self), caller.account, .person)
        }
        routes.on(.get, "\(prefix)/device/state", access: device) { _, caller in
            try .json(try await view(of: caller.account).view)
        }
        routes.on(.post, "\(prefix)/device/sos", access: device, body: body) { request, caller in
            let form = try request.json(ManualCallForm.self, unknownMembers: .counted(ignoredMembers))
            return try await call(form, caller.account, .device)
        }
        routes.on(.post, "\(prefix)/device/incidents/:id/false-alarm", access: device) { request, caller in
            try await calls.callOff(try request.parameter("id", as: UUID.self), of: caller.account, by: .device)
            return try .json(try await view(of: caller.account).view)
        }
    }

    private struct CallAnswer: Encodable {
        let incident: UUID
    }

    private func call(
        _ form: ManualCallForm, _ account: UUID, _ caller: ManualCall.Caller
    ) async throws -> HTTPResponse {
        try .json(
            CallAnswer(incident: try await calls.call(form, of: account, by: caller)), status: .created)
    }

    private func view(of account: UUID) async throws -> (view: WearerView, version: Int64) {
        let row = try await teller.situation(of: account)
        return (WearerView(row?.situation.state ?? .init(.calm), at: clock.now()), row?.version ?? 0)
    }

    /// `GET /me/incidents/stream`: `state` at the beginning and after each change. Sent at least once: each says all there is to say,
    /// so a client that comes back lacks nothing.
    private func follow(_ request: HTTPRequest, _ account: UUID, _ access: Access) async throws -> HTTPResponse {
        try watch.check(account)
        return .live { writer in
            let reader = try watch.open(account)
            defer { watch.close(reader) }
            try await writer.write(ServerSentEvent.retry(after: .seconds(2)))
            reader.begin(at: try await send(to: writer, of: account))
            try await request.serverEnd.calling {
                reader.end()
            } during: {
                while let isNews = await reader.next(within: Self.stillEvery) {
                    // Breaks off when the token has expired or was revoked.
                    _ = try await authenticator.require(request, access)
                    guard isNews else {
                        try Task.checkCancellation()
                        try await writer.write(ServerSentEvent.still)
                        try await writer.flush()
                        continue
                    }
                    _ = try await send(to: writer, of: account)
                }
            }
        }
    }

    /// Returns the version that it is of.
    private func send(to writer: HTTPBodyWriter, of account: UUID) async throws -> Int64 {
        let (view, version) = try await view(of: account)
        try await writer.write(
            ServerSentEvent.encode("state", id: String(version), data: try JSONEncoder().encode(view)))
        try await writer.flush()
        return version
    }
}
