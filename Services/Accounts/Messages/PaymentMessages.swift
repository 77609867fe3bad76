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
    ]
}
