import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct PaymentDatabaseTests {
    @Test("PAY-01b: the database refuses every transition that is not allowed, and changes of what an invoice is for")
    func transitions() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            _ = try await world.askAndAccept()
            let database = world.service.database
            func refused(_ change: String) async throws -> String? {
                let error = await #expect(throws: PostgresError.self, "\(change)") {
                    try await database.execute("update invoice set \(raw: change)")
                }
                return error?.constraint
            }
            for (change, constraint) in [
                ("amount_minor = 1", "invoice_fixed"), ("currency = 'USD'", "invoice_fixed"),
                ("due_until = due_until + interval '1 day'", "invoice_fixed"),
                ("state = 'paid', version = 2", "invoice_payment"),
                ("state = 'paid', version = 2, paid_at = now()", "invoice_payment"),
                ("paid_at = now(), reference = 'x'", "invoice_payment"),
                ("state = 'cancelled', version = 2", "invoice_cancelling"),
                ("state = 'owed', version = 2", "invoice_state"),
                ("state = 'paid', paid_at = now(), reference = 'x'", "invoice_version"),
                (
                    "state = 'paid', version = 2, paid_at = now(), reference = 'x', pay_url = 'https://x'",
                    "invoice_link"
                ),
            ] {
                #expect(try await refused(change) == constraint, "\(change)")
            }
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            for change in [
                "state = 'due', version = 3, paid_at = null, reference = null",
                "state = 'cancelled', version = 3, paid_at = null, reference = null, cancelled_at = now()",
                "paid_at = now()", "reference = 'other'",
            ] {
                #expect(try await refused(change) == "invoice_transition", "\(change)")
            }
            #expect(try await world.invoices().first?["state"]?.text == "paid")
        }
    }
}
