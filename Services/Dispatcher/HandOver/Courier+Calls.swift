import JSON
import Primitives
import Reactor
import Service

/// Calls to hooks.
extension Courier {
    func call(_ name: String, _ number: Int) async {
        // Another message may be due by now.
        guard incident.handOver(to: name)?.dueNumber == number else { return }
        guard let hook = services.hooks[name] else { return failed(name, "not-configured") }
        let body: [UInt8]
        do throws(JSONError) {
            guard let made = try self.body(number, for: hook) else { return }
            body = made
        } catch {
            return services.log.error("an incident could not be written", ["error": .string(error.description)])
        }
        do throws(HookCaller.Failure) {
            try await services.caller.call(
                hook, id: "\(id):\(number)", body: body, deadline: .after(services.times.attemptMax))
        } catch {
            return failed(name, error.description)
        }
        services.metrics.record("received", of: name)
        guard incident.handOver(to: name).map({ $0.receivedNumber < number }) ?? true else { return }
        record(.received(name, number: number))
    }

    /// In the hook's form. `nil` when nobody needs the message any more.
    private func body(_ number: Int, for hook: Hook) throws(JSONError) -> [UInt8]? {
        let key = "\(number) \(hook.form.rawValue) \(hook.name)"
        if let known = bodies[key] { return known }
        guard var details = journal.written.details, let message = incident.message(number),
            let handOver = incident.handOver(to: hook.name)
        else { return nil }
        details.person = details.person ?? person
        let made = IncidentMessage(
            message, of: journal.written, details, to: handOver, reply: services.reply(id, hook: hook.name))
        let body =
            switch hook.form {
            case .json: try made.encoded()
            case .cap: CAPAlert(made, references: handOver.references(in: journal.written), services.sender).encoded()
            }
        bodies[key] = body
        return body
    }

    private func failed(_ hook: String, _ reason: String) {
        services.metrics.record(reason, of: hook)
        services.log.warning(
            "a call to a hook failed",
            ["incident": .string(id.description), "hook": .string(hook), "reason": .string(reason)])
        guard !Task.isCancelled,
            incident.handOver(to: hook).map({ $0.failures < Incident.failuresRecordedMax }) ?? false
        else { return }
        record(.attemptFailed(hook, reason: reason))
    }

    func measureFirstCall() {
        guard !hasCalled else { return }
        hasCalled = true
        let written = journal.written
        guard let finding = written.details?.findings.first, incident.handOvers.count <= 1 else { return }
        services.metrics.firstCall.observe((written.time(at: clock.age) - finding.receivedAt).seconds)
    }
}
