/// Messages about the second factor of log-ins.
extension MessageCatalogue {
    static let secondFactorOn = MessageTemplate(
        "second-factor-on",
        italian: .init(
            "L’accesso chiede ora anche un codice",
            """
            In data {time|time} hai attivato i codici di un’app: d’ora in poi chi accede al tuo account TrackMe deve indicarne
            uno. Gli altri accessi sono terminati. Conserva i codici di recupero in un luogo sicuro.

            Se non sei stato tu, cambia subito la password e scrivi all’assistenza.
            """),
        english: .init(
            "Log-ins now ask for a code, too",
            """
            On {time|time} you set up the codes of an app: from now on whoever logs in to your TrackMe account needs one. Other
            log-ins have ended. Keep the recovery codes in a safe place.

            If that was not you, change your password at once and write to support.
            """))

    static let secondFactorOff = MessageTemplate(
        "second-factor-off",
        italian: .init(
            "L’accesso non chiede più un codice",
            """
            In data {time|time} i codici dell’app sono stati disattivati: per accedere al tuo account TrackMe basta di nuovo la
            password.

            Se non sei stato tu, cambia subito la password e attiva di nuovo i codici.
            """),
        english: .init(
            "Log-ins ask for no code any more",
            """
            On {time|time} the codes of the app were switched off: the password alone is enough again to log in to your TrackMe
            account.

            If that was not you, change your password at once and set the codes up again.
            """))

    static let recoveryCodeUsed = MessageTemplate(
        "recovery-code-used",
        italian: .init(
            "Un codice di recupero è stato usato",
            """
            In data {time|time} un codice di recupero del tuo account TrackMe è stato usato. Te ne restano {left}; nella pagina
            «Il mio account» puoi crearne di nuovi.

            Se non sei stato tu, cambia subito la password e crea nuovi codici.
            """),
        english: .init(
            "A recovery code was used",
            """
            On {time|time} a recovery code of your TrackMe account was used. You have {left} left; you can have new ones made on the
            page “My account”.

            If that was not you, change your password at once and have new codes made.
            """))

    static let wrongCodes = MessageTemplate(
        "wrong-codes",
        italian: .init(
            "Qualcuno conosce la tua password?",
            """
            Fino al {time|time} qualcuno ha indicato la tua password giusta e più volte un codice o una passkey che non vanno.
            Così non è entrato.

            Se non sei stato tu, cambia subito la password: qualcun altro la conosce.
            """),
        english: .init(
            "Does somebody know your password?",
            """
            Until {time|time} somebody gave your right password and several times a wrong code or passkey. They did not get in.

            If that was not you, change your password at once: somebody else knows it.
            """))

    static let secondFactorMessages = [
        secondFactorOn, secondFactorOff, recoveryCodeUsed, wrongCodes, passkeyAdded, passkeyRemoved, passkeyCopied,
    ]
}
