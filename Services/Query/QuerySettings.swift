import JSON
import Service

/// The member `settings` of the configuration.
struct QuerySettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from all else, with backups of its own (ARCHITECTURE, "Identity and trust").
    let keystore: DatabaseSettings
    /// The anonymous store's own schema and role.
    let statisticsDatabase: DatabaseSettings
    /// An unanswered request lapses after so many hours, 24 at the earliest (REQ-06).
    let lapseHours: Int
    /// The data of a request for the past can be fetched for so many days after the acceptance.
    let onceAccessDays: Int
    /// The data of a subscription can be fetched for so many days after the end of its period (REQ-08).
    let lateAccessDays: Int
    /// A subscription ends at most so many days after it is asked for (REQ-01).
    let subscriptionDaysMax: Int
    /// Searches for people in an hour, by one third party for which the operator has set no other limit (REQ-02).
    let searchesMax: Int
    /// Those among them that find nobody, or nothing of what was asked for.
    let missesMax: Int
    /// Streams and waiting reads at the same time, in a process: each holds a connection and some memory.
    let waitingMax: Int
    /// The same for one third party.
    let waitingPerThirdPartyMax: Int
    let webhooks: WebhookSettings
    /// Third parties are told that data is no longer available, or is again, after that was so for so many minutes (SUB-04).
    let unavailableAfterMinutes: Int
    /// What requests cost; `nil` when nothing (PAY-01).
    let payments: PaymentSettings?

    private enum CodingKeys: CodingKey {
        case keystore, statisticsDatabase, lapseHours, onceAccessDays, lateAccessDays, subscriptionDaysMax, searchesMax
        case missesMax, waitingMax, waitingPerThirdPartyMax, webhooks, unavailableAfterMinutes, payments
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keystore = try container.decode(DatabaseSettings.self, forKey: .keystore)
        statisticsDatabase = try container.decode(DatabaseSettings.self, forKey: .statisticsDatabase)
        lapseHours = try container.number(.lapseHours, 24...8760) ?? 72
        onceAccessDays = try container.number(.onceAccessDays, 1...3650) ?? 30
        lateAccessDays = try container.number(.lateAccessDays, 1...3650) ?? 30
        subscriptionDaysMax = try container.number(.subscriptionDaysMax, 1...3650) ?? 366
        searchesMax = try container.number(.searchesMax, RequesterLimits.allowed) ?? 2000
        missesMax = try container.number(.missesMax, RequesterLimits.allowed) ?? 60
        waitingMax = try container.number(.waitingMax, 1...100_000) ?? 12_000
        waitingPerThirdPartyMax = try container.number(.waitingPerThirdPartyMax, 1...100_000) ?? 1000
        webhooks = try container.decodeIfPresent(WebhookSettings.self, forKey: .webhooks) ?? WebhookSettings()
        unavailableAfterMinutes = try container.number(.unavailableAfterMinutes, 1...1440) ?? 10
        payments = try container.decodeIfPresent(PaymentSettings.self, forKey: .payments)
    }

    var requests: RequestSettings {
        RequestSettings(
            lapse: .seconds(lapseHours * 3600), onceAccess: .seconds(onceAccessDays * 86_400),
            lateAccess: .seconds(lateAccessDays * 86_400), subscriptionDaysMax: subscriptionDaysMax)
    }

    var searchLimits: RequesterLimits { RequesterLimits(searchesMax: searchesMax, missesMax: missesMax) }
}

/// The member `webhooks` of the settings.
struct WebhookSettings: Decodable, Sendable {
    /// Receivers on this network and, also with `http`, on this machine: for development.
    let allowPrivateAddresses: Bool
    /// Whether this replica sends; where not all can reach the Internet, some do it for all. Calls that somebody asks for at once, and
    /// waits for, each makes itself.
    let sends: Bool

    private enum CodingKeys: CodingKey { case allowPrivateAddresses, sends }

    init() { (allowPrivateAddresses, sends) = (false, true) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        allowPrivateAddresses = try container.decodeIfPresent(Bool.self, forKey: .allowPrivateAddresses) ?? false
        sends = try container.decodeIfPresent(Bool.self, forKey: .sends) ?? true
    }
}
