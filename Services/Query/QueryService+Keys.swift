import Service
import Statistics

extension QueryService {
    static func sealedColumns(_ context: ServiceContext<QuerySettings>) async throws -> [SealedDatabase] {
        let requests = ["reason", "requester_name", "requester_email", "requester_vat_number", "named"].map {
            SealedColumn("request", $0, location: "query.request.\($0)")
        }
        let lookUps = SealedColumn("access", "requester_name", location: "query.access.requester_name")
        return [
            SealedDatabase(requests + [lookUps, .notices(of: name), .parkedEvents(of: name)], in: context.database),
            try await AnonymousStatistics.sealedColumns(context, database: context.settings.statisticsDatabase),
        ]
    }

    static func furtherSchemas(_ context: ServiceContext<QuerySettings>) async throws -> [FurtherSchema] {
        [try AnonymousStatistics.schema(context, database: context.settings.statisticsDatabase)]
    }
}
