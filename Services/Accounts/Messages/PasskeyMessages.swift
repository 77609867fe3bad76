/// Messages about passkeys.
extension MessageCatalogue {
    static let passkeyAdded = MessageTemplate(
        "passkey-added",
        italian: .init(
            "Il tuo account ha una nuova passkey",
            """
            In data {time|time} hai aggiunto una passkey al tuo account TrackMe: l’accesso la chiede oltre alla password.

            Se non sei stato tu, cambia subito la password e togli la passkey nella pagina «Il mio account».
            """),
        english: .init(
            "Your account has a new passkey",
            """
            On {time|time} you added a passkey to your TrackMe account: log-ins ask for it beside the password.

            If that was not you, change your password at once and remove the passkey on the page “My account”.
            """))

    static let passkeyRemoved = MessageTemplate(
        "passkey-removed",
        italian: .init(
            "Una passkey è stata tolta",
            """
            In data {time|time} una passkey del tuo account TrackMe è stata tolta. Senza altre passkey e senza codici di un’app
            per accedere basta la password.

            Se non sei stato tu, cambia subito la password e aggiungi una nuova passkey.
            """),
        english: .init(
            "A passkey was removed",
            """
            On {time|time} a passkey of your TrackMe account was removed. Without other passkeys and without the codes of an app
            the password alone is enough to log in.

            If that was not you, change your password at once and add a new passkey.
            """))

    static let passkeyCopied = MessageTemplate(
        "passkey-copied",
        italian: .init(
            "Qualcuno ha una copia della tua passkey?",
            """
            In data {time|time} un accesso al tuo account TrackMe con la password giusta e una tua passkey è stato rifiutato: il
            contatore della passkey è tornato indietro, come quando ne esiste una copia.

            Togli la passkey nella pagina «Il mio account», aggiungine una nuova e cambia la password.
            """),
        english: .init(
            "Does somebody have a copy of your passkey?",
            """
            On {time|time} a log-in to your TrackMe account with the right password and a passkey of yours was refused: the passkey’s
            counter went back, as it does when there is a copy.

            Remove the passkey on the page “My account”, add a new one and change your password.
            """))
}
