import PostgresTesting
import ProcessTesting

extension ServiceProgram {
    /// Runs `body` with a service on a schema of its own in the tests' cluster; nothing is started yet.
    static func prepared(
        _ name: String, _ body: @escaping @Sendable (ServiceProgram, TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            try await test.addAudit()
            try await TestDatabase.with { second in
                try await TestDirectory.with { directory in
                    try await body(
                        ServiceProgram(
                            name, in: directory, database: .shared(), schema: test.schema, secondSchema: second.schema),
                        test)
                }
            }
        }
    }

    /// The same with the service running and ready.
    static func ready(
        _ name: String, _ body: @escaping @Sendable (ServiceProgram, TestDatabase) async throws -> Void
    ) async throws {
        try await prepared(name) { service, test in
            try await service.running {
                try await service.waitUntilReady()
                try await body(service, test)
            }
        }
    }
}
