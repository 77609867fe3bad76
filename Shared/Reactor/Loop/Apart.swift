/// Runs `body` in a child task, on the same loop. A task keeps until its end the memory that its deepest call has needed, some ten
/// kilobytes for a query: one that mostly waits, as thousands of others do, has its work done apart.
public func apart<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
    async let result = body()
    return try await result
}
