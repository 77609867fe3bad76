import Domain

/// The page that the browser shows for the link in the mail; in both languages while the account is not known.
enum ConfirmationPage {
    /// `link` is the link in the mail, `nil` when it is not valid.
    static func html(_ link: Confirmation.Link?) -> String {
        let languages = link.map { [$0.language] } ?? Language.allCases
        let content =
            switch link?.isConfirmed {
            case true: paragraph(languages) { $0 == .italian ? confirmed.italian : confirmed.english }
            case nil: paragraph(languages) { $0 == .italian ? invalid.italian : invalid.english }
            case false:
                paragraph(languages) { $0 == .italian ? question.italian : question.english }
                    + "<form method=\"post\"><button type=\"submit\">"
                    + (languages[0] == .italian ? button.italian : button.english) + "</button></form>"
            }
        return """
            <!doctype html>
            <html lang="\(languages[0].rawValue)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>TrackMe</title></head>
            <body><main><h1>TrackMe</h1>\(content)</main></body>
            </html>

            """
    }

    private typealias Text = (italian: String, english: String)

    private static let question: Text = (
        "Ti sei registrato su TrackMe con questo indirizzo e-mail? Se non sei stato tu, chiudi questa pagina.",
        "Did you register at TrackMe with this e-mail address? If it was not you, close this page."
    )
    private static let button: Text = ("Conferma l'indirizzo", "Confirm the address")
    private static let confirmed: Text = (
        "Il tuo indirizzo e-mail è confermato. Ora puoi accedere.",
        "Your e-mail address is confirmed. You can log in now."
    )
    private static let invalid: Text = (
        "Questo collegamento non è valido o è scaduto. Puoi fartene mandare un altro.",
        "This link is not valid, or no longer. You can have another one sent."
    )

    private static func paragraph(_ languages: [Language], _ text: (Language) -> String) -> String {
        languages.map { "<p lang=\"\($0.rawValue)\">\(text($0))</p>" }.joined()
    }
}
