import Domain
import HTTP
import JSON
import Service
import Web

/// The pages of third parties: requests for one person's data (REQ-01, REQ-12), questions about groups (GRP-01, GRP-05).
struct ThirdPartyPages: Sendable {
    private static let groupTypes = DataType.allCases.filter { $0 != .position && $0 != .activity }
    let site: Site

    func add(to routes: inout ServiceRoutes) {
        routes.page("/data-requests", .init("data-requests"), of: site) { _ in ["types": Self.types(DataType.allCases)]
        }
        routes.page("/group-requests", .init("group-requests", needsChart: true), of: site) { _ in
            [
                "types": Self.types(Self.groupTypes),
                "regions": .array(Region.allCases.map { ["name": .string($0.rawValue)] }),
            ]
        }
    }

    private static func types(_ types: [DataType]) -> JSONValue { .array(types.map { ["type": .string($0.name)] }) }
}
