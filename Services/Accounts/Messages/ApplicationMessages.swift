/// Messages about applications that people have authorised.
extension MessageCatalogue {
    static let applicationAuthorised = MessageTemplate(
        "application-authorised",
        italian: .init(
            "«{application}» ora invia dati",
            """
            In data {time|time} hai autorizzato l’applicazione «{application}» a inviare dati al tuo account TrackMe.

            Se non sei stato tu, toglila nella pagina «Dispositivi» e cambia la password.
            """),
        english: .init(
            "“{application}” now sends data",
            """
            On {time|time} you allowed the application “{application}” to send data to your TrackMe account.

            If that was not you, remove it on the page “Devices” and change your password.
            """))

    static let applicationDisconnected = MessageTemplate(
        "application-disconnected",
        italian: .init(
            "«{application}» è stata scollegata",
            """
            In data {time|time} l’applicazione «{application}» è stata scollegata dal tuo account TrackMe: una sua chiave è stata
            usata due volte, come quando qualcuno l’ha copiata. I dati già arrivati restano.

            Per usarla ancora, autorizzala di nuovo dall’applicazione.
            """),
        english: .init(
            "“{application}” was disconnected",
            """
            On {time|time} the application “{application}” was disconnected from your TrackMe account: one of its keys was used
            twice, as happens when somebody has copied it. Data that has come stays.

            To go on using it, authorise it again from the application.
            """))

    static let applicationWithdrawn = MessageTemplate(
        "application-withdrawn",
        italian: .init(
            "«{application}» non invia più dati",
            """
            In data {time|time} l’applicazione «{application}» è stata tolta da TrackMe per tutti. Motivo: «{reason}»

            I dati già arrivati restano.
            """),
        english: .init(
            "“{application}” sends no more data",
            """
            On {time|time} the application “{application}” was taken out of TrackMe for everybody. The reason: “{reason}”

            Data that has come stays.
            """))

    static let applicationMessages = [applicationAuthorised, applicationDisconnected, applicationWithdrawn]
}
