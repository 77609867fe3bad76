/// Messages of the ingestion service to individuals (ING-04, ING-11, ING-12). `{device}` is filled in here from the value `device_id`.
extension MessageCatalogue {
    static let healthMessages = [
        MessageTemplate(
            "import-finished",
            italian: .init("Importazione conclusa", "L'importazione è conclusa: {report}"),
            english: .init("Import finished", "The import is finished: {report}")),
        MessageTemplate(
            "weekly-report",
            italian: .init(
                "La tua settimana: {from|day} – {to|day}",
                """
                {lines}

                Ogni grafico va da lunedì a domenica; un punto è un giorno senza misure. Fra parentesi la differenza con la
                settimana prima.
                """),
            english: .init(
                "Your week: {from|day} – {to|day}",
                """
                {lines}

                Each chart runs from Monday to Sunday; a dot is a day without readings. In brackets the difference to the week
                before.
                """)),
        MessageTemplate(
            "device-silent",
            italian: .init(
                "«{device}» non manda più misure",
                """
                Il dispositivo «{device}» non manda misure da {time|time}. Controlla che sia carico, collegato e che l'app possa
                lavorare in sottofondo.
                """),
            english: .init(
                "“{device}” has stopped sending",
                """
                Since {time|time} the device “{device}” has sent no readings. Check that it is charged and connected, and that its app
                may work in the background.
                """)),
    ]
}
