import JSON
import Reactor
import Security
import SuiteClient

/// The ambulance service of the script: receives incidents, and accepts them by calling back, signed with the hook's secret.
struct AmbulanceService: Sendable {
    private let receiver: WebhookReceiver
    private let secret: WebhookSecret

    static func start(
        _ hook: SuiteConfiguration.Hook, loops: EventLoopGroup
    ) async throws(SuiteError) -> AmbulanceService {
        let text = String(decoding: try File.read(hook.secretFile, bytesMax: 1024), as: UTF8.self)
        let secret: WebhookSecret
        do throws(SecurityError) {
            secret = try WebhookSecret(text.filter { !$0.isWhitespace })
        } catch { throw .local("\(hook.secretFile) holds no webhook secret: \(error).") }
        return AmbulanceService(
            receiver: try await .start(at: hook.listen, secret: secret, loops: loops), secret: secret)
    }

    var calls: [WebhookReceiver.Call] { receiver.calls }
    var refusedCount: Int { receiver.refusedCount }

    func stop() async { await receiver.stop() }

    /// Accepts the incident of a call, as its `reply` says.
    func accept(_ call: WebhookReceiver.Call, by api: API) async throws(SuiteError) {
        let reply = call.body["reply"]
        guard let url = reply?["acceptance_url"]?.text, let hook = reply?["hook"]?.text,
            let token = reply?["token"]?.text
        else { throw .unexpected("The incident does not say how to accept it.") }
        try await api.post(["hook": hook, "token": token, "decision": "accepted"], to: url, signedWith: secret)
    }
}
