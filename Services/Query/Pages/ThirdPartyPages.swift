import Contracts
import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of third parties: requests for people's data (REQ-01, REQ-12), each with its data (REQ-08), what happens to all of
/// them (SUB-02), by which ways that reaches them (webhooks, mail), what is paid and due (PAY-01), questions about groups (GRP-01,
/// GRP-05, GRP-07), and for everybody the reference of the API (NFR-09).
struct ThirdPartyPages: Sendable {
    private static let groupTypes = DataType.allCases.filter { $0.groupBounds != nil }
    let site: Site
    let hasPayments: Bool
    /// `nil` when answers about groups are free.
    let groupPrice: Price?

    func add(to routes: inout ServiceRoutes) {
        routes.page("/data-requests", .init("data-requests"), of: site) { _ in
            [
                "types": Self.types(DataType.allCases),
                "granularities": Self.values(ConsentRequest.Granularity.allCases),
                "frequencies": Self.values(UpdateFrequency.Word.allCases),
            ]
        }
        routes.page("/data-events", .init("data-events"), of: site)
        addWays(to: &routes)
        routes.page("/data-requests/:request", .init("data-request", needsMap: true, needsChart: true), of: site) {
            let _: UUID = try $0.parameter("request")
            return ["types": Self.types(DataType.allCases), "states": Self.states]
        }
        let groupPrice = groupPrice
        routes.page("/group-requests", .init("group-requests", needsChart: true), of: site) { _ in
            var values: JSONObject = [
                "types": Self.types(Self.groupTypes),
                "regions": .array(Region.allCases.map { ["name": .string($0.rawValue)] }),
                "provinces": Self.provinces,
                "occupations": .array(Occupation.allCases.map { ["value": .string($0.rawValue)] }),
            ]
            if let groupPrice {
                values["price"] = ["amount": .integer(groupPrice.amount), "currency": .string(groupPrice.currency)]
            }
            return values
        }
        routes.page("/developers", .init("developers"), of: site) { _ in
            ["services": .array(ServiceName.allCases.map { ["name": .string($0.rawValue)] })]
        }
    }

    /// By which ways events reach a third party, and its invoices.
    private func addWays(to routes: inout ServiceRoutes) {
        let hasPayments = hasPayments
        let kinds: JSONObject = [
            "kinds": .array(
                Event.Kind.allCases.filter { hasPayments || !$0.isPayment }.map { kind in
                    // Names of words have no points.
                    ["kind": .string(kind.rawValue), "word": .string(kind.rawValue.replacing(".", with: "-"))]
                })
        ]
        routes.page("/webhooks", .init("webhooks"), of: site) { _ in kinds }
        routes.page("/webhooks/:webhook", .init("webhook"), of: site) {
            let _: UUID = try $0.parameter("webhook")
            return kinds
        }
        routes.page("/mailing", .init("mailing"), of: site) { _ in
            var values = kinds
            values["frequencies"] = Self.values(Mailing.Frequency.allCases)
            return values
        }
        routes.page("/payments", .init("payments"), of: site) { _ in
            guard hasPayments else { throw Problem.notFound }
            return [:]
        }
    }

    private static func types(_ types: [DataType]) -> JSONValue {
        .array(
            types.map { type in
                [
                    "type": .string(type.name), "kind": .string(type.kind.rawValue),
                    "decimals": .integer(Int64(type.decimals)),
                ]
            })
    }

    /// The choices of a field.
    private static func values<Word: RawRepresentable<String>>(_ words: [Word]) -> JSONValue {
        .array(words.map { ["value": .string($0.rawValue)] })
    }

    /// What the values of activities stand for.
    private static let states = JSONValue.array(
        Activity.Kind.allCases.flatMap { kind in
            Activity.Place.allCases.map { place in
                var state: JSONObject = [
                    "value": .integer(Int64(Activity(kind, place).value)), "kind": .string("\(kind)"),
                ]
                if place != .unknown { state["place"] = .string("\(place)") }
                return .object(state)
            }
        })

    /// By name.
    private static let provinces = JSONValue.array(
        Province.all.sorted { $0.name < $1.name }.map { province in
            ["abbreviation": .string(province.abbreviation), "name": .string(province.name)]
        })
}
