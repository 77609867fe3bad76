/// Messages of the dispatcher about what AutomatedSOS costs (PAY-01): required, as all about being watched.
extension MessageCatalogue {
    static let subscriptionMessages = [
        MessageTemplate(
            "sos-payment-due",
            italian: .init(
                "AutomatedSOS: pagamento di {amount|money}",
                """
                Trenta giorni di AutomatedSOS costano {amount|money}. Puoi pagare qui, entro il {due_until|time}:

                {pay_url}

                Se non paghi, ti avvisiamo almeno sette giorni prima di mettere in pausa la sorveglianza. In un'emergenza il
                tasto SOS chiama i soccorsi in ogni caso.

                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "AutomatedSOS: payment of {amount|money}",
                """
                Thirty days of AutomatedSOS cost {amount|money}. You can pay here, until {due_until|time}:

                {pay_url}

                If you do not pay, we tell you at least seven days before watching is paused. In an emergency the SOS button
                calls an ambulance service in any case.

                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "sos-payment-warning",
            italian: .init(
                "AutomatedSOS: pausa dal {pause_from|time} senza pagamento",
                """
                Il pagamento di {amount|money} per AutomatedSOS non è arrivato. Senza pagamento, dal {pause_from|time} i tuoi
                parametri vitali non sono più sorvegliati. Puoi pagare qui:

                {pay_url}

                La sorveglianza non si interrompe mai durante un'emergenza, e il tasto SOS chiama i soccorsi in ogni caso.
                Se non vuoi più AutomatedSOS, puoi disattivarlo: non devi nulla.

                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "AutomatedSOS: paused from {pause_from|time} without a payment",
                """
                The payment of {amount|money} for AutomatedSOS has not arrived. Without it, your vital signs are no longer
                watched from {pause_from|time} on. You can pay here:

                {pay_url}

                Watching never stops during an emergency, and the SOS button calls an ambulance service in any case. If you
                do not want AutomatedSOS any more, you can end it: you owe nothing.

                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "sos-payment-last-warning",
            italian: .init(
                "Ultimo avviso: AutomatedSOS in pausa dal {pause_from|time}",
                """
                Dal {pause_from|time} i tuoi parametri vitali non sono più sorvegliati, se il pagamento di {amount|money} non
                arriva prima. Puoi pagare qui:

                {pay_url}

                Il tasto SOS chiama i soccorsi in ogni caso.

                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Last warning: AutomatedSOS is paused from {pause_from|time}",
                """
                From {pause_from|time} on your vital signs are no longer watched, unless the payment of {amount|money} arrives
                before. You can pay here:

                {pay_url}

                The SOS button calls an ambulance service in any case.

                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "sos-payment-paused",
            italian: .init(
                "AutomatedSOS è in pausa: nessuno sorveglia i tuoi parametri",
                """
                Il pagamento di {amount|money} non è arrivato: da ora nessuno sorveglia i tuoi parametri vitali. La sorveglianza
                riprende appena paghi:

                {pay_url}

                Il tasto SOS chiama i soccorsi anche ora.

                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "AutomatedSOS is paused: nobody watches your vital signs",
                """
                The payment of {amount|money} has not arrived: from now on nobody watches your vital signs. Watching goes on as
                soon as you pay:

                {pay_url}

                The SOS button calls an ambulance service now, too.

                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "sos-payment-received",
            italian: .init(
                "Pagamento ricevuto: {amount|money}",
                """
                Il pagamento di {amount|money} per AutomatedSOS è arrivato e vale fino al {until|time}.

                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment received: {amount|money}",
                """
                The payment of {amount|money} for AutomatedSOS has arrived and covers the time until {until|time}.

                Number of the invoice: {invoice_id}
                """)),
    ]
}
