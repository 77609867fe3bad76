/// Messages to people who have no account, by mail (SOS-09, SOS-13). Their texts come from the dispatcher, which writes the same
/// into text messages and calls.
extension MessageCatalogue {
    static let outsideMessages = [
        MessageTemplate(
            "contact-told", isUrgent: true,
            italian: .init(
                "{subject}",
                """
                {text}

                Ricevi questo messaggio perché qualcuno ti ha indicato come contatto di emergenza in AutomatedSOS.
                """),
            english: .init(
                "{subject}",
                """
                {text}

                You get this message because somebody has named you as an emergency contact in AutomatedSOS.
                """)),
        MessageTemplate(
            "operator-alarms", isUrgent: true,
            italian: .init(
                "TrackMe: {count} allarmi aperti",
                """
                {list}

                Questo messaggio si ripete finché qualcuno non ne prende atto: trackme-dispatcher alarms acknowledge
                """),
            english: .init(
                "TrackMe: {count} open alarms",
                """
                {list}

                This message is repeated until somebody acknowledges it: trackme-dispatcher alarms acknowledge
                """)),
    ]

    /// Whether it may go to whoever has no account.
    static func isForOutside(_ name: String) -> Bool { outsideMessages.contains { $0.name == name } }
}
