/// All message texts by name. Other services give the name in `accounts.notify`.
enum MessageCatalogue {
    private static let templates: [String: MessageTemplate] = {
        let all = accountMessages + requestMessages + runMessages + emergencyMessages + healthMessages
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()

    static subscript(name: String) -> MessageTemplate? { templates[name] }

    static var names: [String] { templates.keys.sorted() }

    /// Of urgent ones.
    static let urgentNames = templates.values.filter(\.isUrgent).map(\.name)
}
