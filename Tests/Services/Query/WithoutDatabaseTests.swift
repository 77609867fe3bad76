import HTTP
import JSON
import OpenAPITesting
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Query

@Suite struct WithoutDatabaseTests {
    @Test("NFR-09: while the database cannot be reached, every operation says so as the OpenAPI document has it")
    func withoutDatabase() async throws {
        try await World.withPayments { world, broker in
            await world.service.database.close()
            await world.statistics.close()
            for operation in try APIDocument.of(QueryService.openAPI).operations {
                let path = operation.path.replacing("/query/v1", with: "")
                    .replacing("{id}", with: UUID.random().description)
                let body =
                    switch operation.name {
                    case "POST /query/v1/requests": World.draft
                    case "POST /query/v1/request-batches": BatchTests.draft(["{\"email\": \"p@example.org\"}"])
                    case "POST /query/v1/group-requests": GroupRequestTests.question
                    case "POST /query/v1/webhooks": #"{"url": "https://hooks.example.org/"}"#
                    case "PATCH /query/v1/webhooks/{id}": #"{"state": "paused"}"#
                    case "PUT /query/v1/mailing": #"{"frequency": "daily"}"#
                    case "POST /query/v1/webhooks/{id}/replay": #"{"since": "2025-06-20T09:30:00Z"}"#
                    case "POST /query/v1/payments/broker":
                        World.callBack(["id": .string(UUID.random().description), "amount": 1])
                    default: ""
                    }
                let answer =
                    path == "/payments/broker"
                    ? try await world.callBack(broker, body)
                    : path.hasPrefix("/me/")
                        ? try await world.asPerson(operation.method, path, body)
                        : try await world.asCompany(operation.method, path, body)
                #expect(answer.status == 503, "\(operation.name)")
            }
        }
    }
}
