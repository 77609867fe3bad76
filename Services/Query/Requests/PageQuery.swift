import HTTP
import Primitives

/// Which page of a list is wanted: `?cursor=…&limit=…`.
struct PageQuery: Sendable {
    static let limitMax = 100
    static let limitDefault = 50

    let cursor: UUID?
    let limit: Int

    /// Errors: 400 for what cannot be read.
    init(_ request: HTTPRequest) throws(Problem) {
        let query = try request.query()
        cursor = try query.value("cursor")
        limit = min(max(1, try query.value("limit") ?? Self.limitDefault), Self.limitMax)
    }
}
