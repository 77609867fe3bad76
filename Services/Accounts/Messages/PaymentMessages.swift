/// Messages of the query service to third parties about payments (PAY-01).
extension MessageCatalogue {
    static let paymentMessages = [
        MessageTemplate(
            "payment-due",
            italian: .init(
                "Pagamento da fare: {amount|money}",
                """
                La tua richiesta è stata accettata e costa {amount|money}. I dati si possono scaricare appena il pagamento è
                arrivato. Puoi pagare qui:

                {pay_url}

                Senza pagamento la richiesta si conclude, e non devi nulla: {due_until|time}.

                Numero della richiesta: {request_id}
                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment due: {amount|money}",
                """
                Your request was accepted and costs {amount|money}. The data can be downloaded as soon as the payment has
                arrived. You can pay here:

                {pay_url}

                Without a payment the request ends, and you owe nothing: {due_until|time}.

                Number of the request: {request_id}
                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "payment-received",
            italian: .init(
                "Pagamento ricevuto: {amount|money}",
                """
                Il pagamento di {amount|money} è arrivato. I dati della richiesta si possono scaricare.

                Numero della richiesta: {request_id}
                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment received: {amount|money}",
                """
                The payment of {amount|money} has arrived. The data of the request can be downloaded.

                Number of the request: {request_id}
                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "group-payment-due",
            italian: .init(
                "Pagamento da fare: {amount|money}",
                """
                La tua domanda su un gruppo ha una risposta, che costa {amount|money}. La risposta si può leggere appena il
                pagamento è arrivato. Puoi pagare qui:

                {pay_url}

                Senza pagamento la risposta non è più disponibile, e non devi nulla: {due_until|time}.

                Numero della domanda: {request_id}
                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment due: {amount|money}",
                """
                Your question about a group has an answer, which costs {amount|money}. The answer can be read as soon as
                the payment has arrived. You can pay here:

                {pay_url}

                Without a payment the answer is no longer to be had, and you owe nothing: {due_until|time}.

                Number of the question: {request_id}
                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "group-payment-received",
            italian: .init(
                "Pagamento ricevuto: {amount|money}",
                """
                Il pagamento di {amount|money} è arrivato. La risposta alla tua domanda su un gruppo si può leggere.

                Numero della domanda: {request_id}
                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment received: {amount|money}",
                """
                The payment of {amount|money} has arrived. The answer to your question about a group can be read.

                Number of the question: {request_id}
                Number of the invoice: {invoice_id}
                """)),
        MessageTemplate(
            "group-payment-lapsed",
            italian: .init(
                "Pagamento non più dovuto: {amount|money}",
                """
                Il pagamento di {amount|money} non è arrivato in tempo. La risposta alla tua domanda su un gruppo non è più
                disponibile, e non devi nulla. Puoi fare di nuovo la domanda.

                Numero della domanda: {request_id}
                Numero della fattura: {invoice_id}
                """),
            english: .init(
                "Payment no longer due: {amount|money}",
                """
                The payment of {amount|money} has not arrived in time. The answer to your question about a group is no
                longer to be had, and you owe nothing. You can ask the question again.

                Number of the question: {request_id}
                Number of the invoice: {invoice_id}
                """)),
    ]
}
