import Contracts
import JSON
import Primitives
import RPC
import Reactor
import Service

/// Learning who the person is.
extension Courier {
    private static let profileMax = Duration.seconds(2)

    func waitForPerson() async {
        let deadline = Deadline.after(services.times.personMax)
        var seen = news.value
        while person == nil, !deadline.hasPassed, !Task.isCancelled {
            seen = await news.wait(after: seen, deadline: deadline)
        }
    }

    /// Asks accounts for the person until it answers, also after an ambulance service has accepted. When a message has
    /// gone out without the name, an update follows.
    func learnPerson() async {
        while !Task.isCancelled, person == nil {
            do throws(RPCError) {
                let found = try await services.accounts.call(
                    Accounts.Identity.self, .init(accountID: journal.written.account, purpose: "incident"),
                    deadline: .after(Self.profileMax))
                person = IncidentDetails.Person(found)
            } catch {
                if error.code == .notFound { return record(.unidentifiable) }
                do throws(IOError) { try await loop.sleep(for: services.times.personPause) } catch { return }
            }
        }
        news.raise()
        while !Task.isCancelled, let person, incident.identity == .sought {
            // Another process may have called already.
            let isNews = hasCalled || fence > 1
            guard isStored else {
                record(.identified(isNews: isNews))
                return await secure()
            }
            do {
                let change = try await services.store.change(id) { record in
                    record.change { $0.person = person }
                    record.apply(.identified(isNews: isNews))
                }
                guard let change else { return lose() }
                adopt(change.record)
                news.raise()
            } catch {
                services.log.warning("the person could not be written yet", ["error": Log.text(of: error)])
                do throws(IOError) { try await loop.sleep(for: .milliseconds(200)) } catch { return }
            }
        }
    }
}
