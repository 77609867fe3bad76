/// All message texts by name. Other services give the name in `accounts.notify`.
enum MessageCatalogue {
    private static let templates: [String: MessageTemplate] = {
        let all =
            accountMessages + applicationMessages + secondFactorMessages + suspensionMessages + requestMessages
            + paymentMessages + runMessages + emergencyMessages + subscriptionMessages + healthMessages
            + outsideMessages
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()

    static subscript(name: String) -> MessageTemplate? { templates[name] }

    static var names: [String] { templates.keys.sorted() }

    /// What a message is about; that of one which is not known is `account`, which everybody gets.
    static func kind(of name: String) -> NotificationKind { kinds[name] ?? .account }

    private static let kinds: [String: NotificationKind] = {
        let aboutDevices = [devicePaired.name, collectionResumed.name, "device-silent"]
        let groups: [(NotificationKind, [MessageTemplate])] = [
            (.account, accountMessages + applicationMessages + secondFactorMessages + suspensionMessages),
            (.requests, requestMessages + paymentMessages),
            (.runs, runMessages),
            (.emergencies, emergencyMessages + subscriptionMessages), (.health, healthMessages),
        ]
        var kinds: [String: NotificationKind] = [:]
        for (kind, templates) in groups { for template in templates { kinds[template.name] = kind } }
        for name in aboutDevices { kinds[name] = .devices }
        return kinds
    }()
}
