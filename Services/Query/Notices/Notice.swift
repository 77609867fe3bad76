import Contracts
import Domain
import Primitives
import Service

/// Messages about requests.
extension Notice {
    /// Holds more values than the texts use now, so that texts can change without the program.
    private init(
        _ template: String, to account: UUID, about request: ConsentRequest, types: [DataType]? = nil
    ) {
        self.init(
            to: account, template: template,
            values: [
                "request_id": request.id.description, "company": request.requesterName, "run": request.reason,
                "reason": request.reason, "mode": request.mode.rawValue,
                "granularity": request.granularity.rawValue, "frequency": request.frequency?.word.rawValue ?? "",
                "every_minutes": request.frequency?.everyMinutes.map { "\($0)" } ?? "",
                "data_types": (types ?? request.acceptedTypes ?? request.types).map(\.name).joined(separator: ", "),
                "from": request.from.description, "to": request.to.description,
                "lapses_at": request.lapsesAt.description, "email": request.requesterEmail ?? "",
                "vat_number": request.requesterVATNumber ?? "",
            ])
    }

    /// Who asks, for what, once or for how long, and why (REQ-04).
    static func request(_ request: ConsentRequest) -> Notice {
        Notice("request-received", to: request.individualID, about: request)
    }

    static func checkIn(_ request: ConsentRequest) -> Notice {
        let isOfCompany = request.requesterVATNumber != nil
        return Notice(
            isOfCompany ? "check-in-requested" : "check-in-requested-privately", to: request.individualID,
            about: request)
    }

    /// To the requester: of some of the accepted types nothing comes any more, or something may again (SUB-04).
    static func availability(_ kind: Event.Kind, _ types: [DataType], of request: ConsentRequest) -> Notice {
        Notice(
            kind == .unavailable ? "data-unavailable" : "data-available", to: request.requesterID, about: request,
            types: types)
    }

    /// Messages about a change of state: to the requester for every outcome (REQ-07), to both for an ending (REQ-10).
    /// Organisers see check-ins of their runners in the run instead.
    static func outcomes(of request: ConsentRequest) -> [Notice] {
        guard request.runID == nil else { return [] }
        let template: String
        switch request.state {
        case .pending: return []
        case .accepted: template = "request-accepted"
        case .refused: template = "request-refused"
        case .lapsed: template = "request-lapsed"
        case .withdrawn: template = "request-withdrawn"
        case .ended: template = "request-ended"
        }
        var notices = [Notice(template, to: request.requesterID, about: request)]
        if request.state == .withdrawn || request.state == .ended {
            notices.append(Notice(template, to: request.individualID, about: request))
        }
        return notices
    }
}
