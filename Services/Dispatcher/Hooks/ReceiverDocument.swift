import HTTP
import Service

/// The OpenAPI document of what an ambulance service builds: the side that receives our calls (NFR-09).
enum ReceiverDocument {
    static let path = "/dispatcher/v1/hooks/openapi.json"
    static let bytes = PackageResources.receiver_openapi_json

    static func add(to routes: inout ServiceRoutes) {
        let document = KeptDocument(bytes)
        routes.on(.get, path, access: .anyone, query: .ignored) { request in document.response(to: request) }
    }
}
