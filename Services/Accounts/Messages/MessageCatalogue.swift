/// All message texts by name. Other services give the name in `accounts.notify`.
enum MessageCatalogue {
    private static let templates: [String: MessageTemplate] = {
        let all = accountMessages + requestMessages + runMessages + emergencyMessages + healthMessages
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()

    static subscript(name: String) -> MessageTemplate? { templates[name] }

    static var names: [String] { templates.keys.sorted() }

    /// Whether its mail is sent also to an address from which mail has come back: what is urgent, or about the account itself.
    static func isForEveryAddress(_ name: String) -> Bool {
        templates[name]?.isUrgent ?? false || accountNames.contains(name)
    }

    private static let accountNames = Set(accountMessages.map(\.name))
}
