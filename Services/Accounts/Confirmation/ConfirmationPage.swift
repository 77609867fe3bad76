import Domain

/// What the browser shows after the link in the mail; in both languages while it is not known whose it is.
enum ConfirmationPage {
    static func html(isConfirmed: Bool, _ language: Language?) -> String {
        let paragraphs = (language.map { [$0] } ?? Language.allCases).map { language in
            let text =
                switch (isConfirmed, language) {
                case (true, .italian): "Il tuo indirizzo e-mail è confermato. Ora puoi accedere."
                case (true, .english): "Your e-mail address is confirmed. You can log in now."
                case (false, .italian): "Questo collegamento non è valido o è scaduto. Puoi fartene mandare un altro."
                case (false, .english): "This link is not valid, or no longer. You can have another one sent."
                }
            return "<p lang=\"\(language.rawValue)\">\(text)</p>"
        }
        return """
            <!doctype html>
            <html lang="\((language ?? .italian).rawValue)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>TrackMe</title></head>
            <body><main><h1>TrackMe</h1>\(paragraphs.joined())</main></body>
            </html>

            """
    }
}
