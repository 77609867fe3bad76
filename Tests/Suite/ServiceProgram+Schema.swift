import PostgresTesting
import ProcessTesting

extension ServiceSchemas {
    /// Runs `body` with schemas in the tests' cluster, and an audit trail beside the service's own.
    static func with(_ body: @escaping @Sendable (ServiceSchemas, TestDatabase) async throws -> Void) async throws {
        try await TestDatabase.with { test in
            try await TestDatabase.with { keys in
                try await TestDatabase.with { statistics in
                    try await test.addAudit()
                    let schemas = ServiceSchemas(
                        own: test.schema, keys: keys.schema, statistics: statistics.schema)
                    try await body(schemas, test)
                }
            }
        }
    }
}

extension ServiceProgram {
    /// Runs `body` with a service on schemas of its own in the tests' cluster; nothing is started yet.
    static func prepared(
        _ name: String, _ body: @escaping @Sendable (ServiceProgram, TestDatabase) async throws -> Void
    ) async throws {
        try await ServiceSchemas.with { schemas, test in
            try await TestDirectory.with { directory in
                try await body(
                    ServiceProgram(name, in: directory, database: .shared(), schemas: schemas), test)
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
