/// Messages about accounts that the operator suspends and restores.
extension MessageCatalogue {
    static let accountSuspended = MessageTemplate(
        "account-suspended",
        italian: .init(
            "Il tuo account è sospeso",
            """
            In data {time|time} il tuo account TrackMe è stato sospeso. Motivo: «{reason}»

            Non è possibile accedere e gli accessi aperti sono terminati. I dispositivi e AutomatedSOS continuano a funzionare.
            Se non sei d’accordo, oppure vuoi una copia dei tuoi dati o la loro cancellazione, scrivi all’assistenza.
            """),
        english: .init(
            "Your account is suspended",
            """
            On {time|time} your TrackMe account was suspended. The reason: “{reason}”

            Nobody can log in to it, and open log-ins have ended. Devices and AutomatedSOS go on working. If you do not agree,
            or want a copy of your data or have them erased, write to support.
            """))

    static let accountRestored = MessageTemplate(
        "account-restored",
        italian: .init(
            "Il tuo account è di nuovo attivo",
            """
            In data {time|time} la sospensione del tuo account TrackMe è terminata. Motivo: «{reason}»

            Puoi accedere di nuovo.
            """),
        english: .init(
            "Your account is active again",
            """
            On {time|time} the suspension of your TrackMe account ended. The reason: “{reason}”

            You can log in again.
            """))

    static let suspensionMessages = [accountSuspended, accountRestored]
}
