public import HTTP
import JSON

extension APIDocument {
    /// Fields of answers that are general, and not documented for each operation.
    private static let generalFields: Set = ["cache-control", "vary"]

    /// What of an exchange the document does not say: status, media type, header fields, members, formats and limits of the answer,
    /// the code of a problem (which the answer's description names between backticks), and of a request that succeeded its
    /// parameters and body. The content of streams is not looked at.
    public func faults(of request: HTTPRequest, answer response: HTTPResponse) -> [String] {
        let status = response.status.rawValue
        // Of services that tests make.
        if document["paths"] == nil { return [] }
        guard let (operation, values) = match(request.method == .head ? .get : request.method, request.path) else {
            // What the router says of unknown paths and methods belongs to no operation.
            let isOutside = request.method == .options || [400, 404, 405].contains(status)
            return isOutside ? [] : ["\(request.method) \(request.path) is answered \(status) and not documented"]
        }
        var faults = answerFaults(operation, response, isHead: request.method == .head)
        if (200..<300).contains(status) { faults += requestFaults(operation, values, request) }
        return faults.map { "\(operation.name) \(status): \($0)" }
    }

    // MARK: Answers

    private func answerFaults(_ operation: Operation, _ response: HTTPResponse, isHead: Bool) -> [String] {
        var value: JSONValue?
        if response.contentType?.isJSON == true, case .bytes(let bytes) = response.body {
            value = Self.json(bytes)
            if value == nil { return ["the answer is not JSON"] }
        }
        let code = response.contentType?.essence == MediaType.problem.essence ? value?["code"]?.text : nil
        let status = "\(response.status.rawValue)"
        guard let documented = operation.responses.first(where: { $0.status == status })?.value else {
            return ["the status is not documented" + (code.map { " (`\($0)`)" } ?? "")]
        }
        var faults = fieldFaults(documented, response.fields)
        if let code, documented["description"]?.text?.contains("`\(code)`") != true {
            faults.append("the code `\(code)` is not named in the description")
        }
        let contents = documented["content"]?.members ?? []
        guard let type = response.contentType else {
            if !contents.isEmpty, !isHead { faults.append("the answer has no content") }
            return faults
        }
        guard let content = contents.first(where: { MediaType($0.name).essence == type.essence })?.value else {
            return faults + ["the media type \(type.essence) is not documented"]
        }
        guard let value, let schema = content["schema"] else { return faults }
        return faults + SchemaCheck.faults(of: value, schema, in: document, at: "$")
    }

    private func fieldFaults(_ documented: JSONValue, _ fields: HTTPFields) -> [String] {
        let headers = documented["headers"]?.members ?? []
        var faults: [String] = []
        for (name, header) in headers {
            guard let header = document.resolved(header) else { continue }
            if let text = fields[name] {
                faults += textFaults(text, header, at: name)
            } else if header["required"]?.flag == true {
                faults.append("the field \(name) is missing")
            }
        }
        for field in fields.entries where !Self.generalFields.contains(field.name.lowercased()) {
            let isDocumented = headers.contains { $0.name.lowercased() == field.name.lowercased() }
            if !isDocumented { faults.append("the field \(field.name) is not documented") }
        }
        return faults
    }

    // MARK: Events and webhooks

    /// What of a stream of Server-Sent Events the document does not say. `x-events` beside the media type's schema has the schema of
    /// each event's data.
    public func faults(ofEvents bytes: [UInt8], of name: String) throws -> [String] {
        let answer = operations.first { $0.name == name }?.responses.first { $0.status == "200" }?.value
        let schemas = answer?["content"]?[MediaType.eventStream.essence]?["x-events"]
        var parser = ServerSentEventParser()
        return try parser.events(in: bytes).flatMap { event -> [String] in
            guard let schema = schemas?[event.name] else {
                return ["\(name): the event \(event.name) is not documented"]
            }
            guard let value = Self.json(Array(event.data.utf8)) else { return ["\(name): \(event.name) is not JSON"] }
            return SchemaCheck.faults(of: value, schema, in: document, at: "\(name) \(event.name)")
        }
    }

    /// What of a message that the service sends the document does not say.
    public func faults(ofMessage body: [UInt8], to webhook: String) -> [String] {
        guard let operation = webhooks[webhook] else { return ["the webhook \(webhook) is not documented"] }
        guard let schema = operation.body?["content"]?["application/json"]?["schema"], let value = Self.json(body)
        else { return ["the message is not JSON"] }
        return SchemaCheck.faults(of: value, schema, in: document, at: webhook)
    }

    // MARK: Requests

    private func requestFaults(
        _ operation: Operation, _ values: [String: String], _ request: HTTPRequest
    ) -> [String] {
        let query = request.head.query.flatMap { QueryItems($0) }?.items ?? []
        let known = Set(operation.parameters(in: "query").compactMap { $0["name"]?.text })
        var faults = query.filter { !known.contains($0.name) }.map { "the parameter \($0.name) is not documented" }
        for parameter in operation.parameters {
            let name = parameter["name"]?.text ?? ""
            let text: String? =
                switch parameter["in"]?.text {
                case "query": query.first { $0.name == name }?.value
                case "header": request.head.allFields.first { $0.name.lowercased() == name.lowercased() }?.value
                case "cookie": request.cookie(name)
                default: values[name]
                }
            if let text {
                faults += textFaults(text, parameter, at: "the parameter \(name)")
            } else if parameter["required"]?.flag == true {
                faults.append("the parameter \(name) was not needed")
            }
        }
        return faults + bodyFaults(operation, request)
    }

    private func bodyFaults(_ operation: Operation, _ request: HTTPRequest) -> [String] {
        guard !request.bytes.isEmpty else {
            return operation.body?["required"]?.flag == true ? ["the body was not needed"] : []
        }
        let type = MediaType(request.field("content-type") ?? "")
        let contents = operation.body?["content"]?.members ?? []
        guard let content = contents.first(where: { MediaType($0.name).essence == type.essence })?.value else {
            return ["a body of \(type.essence) was taken and is not documented"]
        }
        guard type.isJSON, let schema = content["schema"] else { return [] }
        guard let value = Self.json(request.bytes) else { return ["a body was taken that is not JSON"] }
        return SchemaCheck.faults(of: value, schema, in: document, at: "the request")
    }

    /// A parameter's or field's text is what its schema says it is.
    private func textFaults(_ text: String, _ holder: JSONValue, at place: String) -> [String] {
        guard let schema = holder["schema"], let resolved = document.resolved(schema) else { return [] }
        let value: JSONValue =
            switch resolved["type"]?.text {
            case "integer": Int64(text).map(JSONValue.integer) ?? .string(text)
            case "number": Double(text).map(JSONValue.number) ?? .string(text)
            case "boolean": text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
            default: .string(text)
            }
        return SchemaCheck.faults(of: value, schema, in: document, at: place)
    }
}

extension MediaType {
    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }
}
