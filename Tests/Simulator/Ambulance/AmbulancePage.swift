import Domain
import HTTP
import JSON
import Primitives
import Reactor
import SuiteClient
import Synchronization

/// The page of the ambulance service, for the people who answer: incidents on a map, sound, accept, reject, states. It is an origin of its
/// own on this machine, and speaks to this program alone, by a small JSON API and a stream of events.
///
/// Whoever can reach the address can answer for the ambulance service, so it listens on loopback only. Pages of others that are open in the
/// same browser can neither read nor answer: their names are no `Host` of ours, and what changes something needs a field that no other
/// origin may send.
struct AmbulancePage: Sendable {
    static let ownField: StaticString = "ambulance-request"
    private static let bodyBytesMax = 1024
    private static let streamsMax = 32
    private static let stillEvery = Duration.seconds(15)
    /// What comes within this time is told together.
    private static let gather = Duration.milliseconds(100)
    private static let leafletBytesMax = 2 << 20
    private static let arrivalMinutes = 1...600
    private static let hosts: Set = ["127.0.0.1", "localhost", "::1"]
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private struct Form: Decodable {
        var reason: String?
        var minutes: Int?
    }

    private final class Streams: Sendable {
        let count = Mutex(0)
    }

    let board: IncidentBoard
    let receiver: ReferenceReceiver
    let leafletDirectory: String
    private let streams = Streams()

    init(board: IncidentBoard, receiver: ReferenceReceiver, leafletDirectory: String) {
        self.board = board
        self.receiver = receiver
        self.leafletDirectory = leafletDirectory
    }

    /// Errors: `local` for an address that is not of this machine, or taken.
    func start(at address: String, loops: EventLoopGroup) async throws(SuiteError) -> (host: String, server: HTTPServer)
    {
        guard let endpoint = Endpoint(address), !endpoint.isUnix, Self.hosts.contains(endpoint.host) else {
            throw .local(
                "\(address) is not 127.0.0.1:PORT: whoever reaches the page answers for the ambulance service.")
        }
        do throws(IOError) {
            return (endpoint.host, try await HTTPServer.start(at: endpoint, router: router, loops: loops))
        } catch { throw .local("Cannot listen at \(address): \(error).") }
    }

    var router: HTTPRouter {
        var router = HTTPRouter()
        let files: [(path: String, type: MediaType, bytes: [UInt8])] = [
            ("/", .html, PackageResources.page_html),
            ("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
            ("/page.js", Self.script, PackageResources.page_js), ("/card.js", Self.script, PackageResources.card_js),
            ("/map.js", Self.script, PackageResources.map_js), ("/sound.js", Self.script, PackageResources.sound_js),
            ("/words.js", Self.script, PackageResources.words_js), ("/it.json", .json, PackageResources.it_json),
            ("/en.json", .json, PackageResources.en_json),
        ]
        for file in files {
            router.on(.get, file.path) { (request) async throws(Problem) in
                try Self.check(request)
                return Self.file(file.bytes, as: file.type)
            }
        }
        let leaflet: [(path: String, type: MediaType, name: String)] = [
            ("/leaflet.js", Self.script, "leaflet.min.js"), ("/leaflet.css", "text/css; charset=utf-8", "leaflet.css"),
        ]
        for file in leaflet {
            router.on(.get, file.path) { (request) async throws(Problem) in
                try Self.check(request)
                return Self.file(try leafletFile(file.name), as: file.type)
            }
        }
        router.on(.get, "/places.json") { (request) async throws(Problem) in
            try Self.check(request)
            return try .json(Self.places)
        }
        router.on(.get, "/incidents") { (request) async throws(Problem) in
            try Self.check(request)
            return try .json(board.value)
        }
        router.on(.get, "/events") { (request) async throws(Problem) in
            try Self.check(request)
            return try events(request)
        }
        router.on(.post, "/incidents/:incident/:act", body: .buffered(bytesMax: Self.bodyBytesMax)) {
            (request) async throws(Problem) in
            try Self.check(request)
            return try act(request)
        }
        return router
    }

    // MARK: Who asks

    /// A name that leads here and is not this machine's is somebody else's page (DNS rebinding).
    private static func check(_ request: HTTPRequest) throws(Problem) {
        guard let host = request.field("host"), let endpoint = Endpoint(host) ?? Endpoint("\(host):80"),
            hosts.contains(endpoint.host.lowercased())
        else { throw Problem(.forbidden, code: "other-host", detail: "open the page by the address of this machine") }
    }

    // MARK: Files

    private static let script: MediaType = "text/javascript; charset=utf-8"

    private static func file(_ bytes: [UInt8], as type: MediaType) -> HTTPResponse {
        HTTPResponse(
            .ok, contentType: type,
            fields: [
                "Content-Security-Policy": policy, "Cache-Control": "no-cache",
                "Cross-Origin-Resource-Policy": "same-origin",
            ],
            body: .bytes(bytes))
    }

    /// Without the package the page has no map.
    private func leafletFile(_ name: String) throws(Problem) -> [UInt8] {
        do throws(SuiteError) {
            return try File.read("\(leafletDirectory)/\(name)", bytesMax: Self.leafletBytesMax)
        } catch {
            throw Problem(.notFound, code: "no-leaflet", detail: "install libjs-leaflet for the map")
        }
    }

    /// Names for the ground of the map: municipalities, the largest first.
    private static let places = JSONValue.array(
        PlaceTable.standard.places.filter { $0.exists && !$0.isState }.map {
            [.string($0.name), .number($0.coordinate.latitude), .number($0.coordinate.longitude)]
        })

    // MARK: Incidents

    private func events(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        guard streams.count.withLock({ $0 }) < Self.streamsMax else {
            throw Problem(.serviceUnavailable, code: "overloaded", detail: "the page is open too often")
        }
        return .live { writer in try await follow(request, writer) }
    }

    /// All that is shown, at the beginning and after each change.
    private func follow(_ request: HTTPRequest, _ writer: HTTPBodyWriter) async throws {
        streams.count.withLock { $0 += 1 }
        defer { streams.count.withLock { $0 -= 1 } }
        try await writer.write(ServerSentEvent.retry(after: .seconds(1)))
        try await request.serverEnd.calling {
            board.news.raise()
        } during: {
            var (seen, isNews) = (board.news.value, true)
            while !request.serverEnd.isReached {
                if isNews {
                    let shown = try JSONEncoder().encode(board.value)
                    try await writer.write(ServerSentEvent.encode("board", id: String(seen), data: shown))
                } else {
                    try await writer.write(ServerSentEvent.still)
                }
                try await writer.flush()
                let value = await board.news.wait(after: seen, deadline: .after(Self.stillEvery))
                try Task.checkCancellation()
                isNews = value != seen
                if isNews { try await EventLoop.current?.sleep(for: Self.gather) }
                seen = board.news.value
            }
        }
    }

    private func act(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        guard request.field(Self.ownField) == "page",
            request.field("sec-fetch-site").map({ $0 == "same-origin" }) ?? true
        else { throw Problem(.forbidden, code: "cross-site-request", detail: "only the own page answers") }
        let incident: UUID = try request.parameter("incident")
        let word: String = try request.parameter("act")
        let form = try request.json(Form.self)
        let act = try Self.act(word, form)
        // Before it is sent, so that an answer that comes at once is not taken for one that is outstanding.
        board.note(word, of: incident)
        guard receiver.act(act, on: incident) else {
            board.note(nil, of: incident)
            throw Problem(.conflict, code: "not-open", detail: "the incident is over, or was answered already")
        }
        if case .arrivalExpected(let time) = act { board.note(arrival: time, of: incident) }
        return .noContent
    }

    private static func act(_ word: String, _ form: Form) throws(Problem) -> ReferenceReceiver.Act {
        switch word {
        case "accept": return .accept
        case "reject":
            guard let reason = form.reason, ReferenceReceiver.rejectionReasons.contains(reason) else {
                throw Problem(.unprocessableContent, code: "no-reason", detail: "say why, by a word of the document")
            }
            return .reject(reason: reason)
        case "dispatched": return .dispatched
        case "on-scene": return .onScene
        case "resolve": return .resolve
        case "arrival":
            guard let minutes = form.minutes, arrivalMinutes.contains(minutes) else {
                throw Problem(.unprocessableContent, code: "no-minutes", detail: "say in how many minutes, 1 to 600")
            }
            return .arrivalExpected(.now() + .seconds(60 * Int64(minutes)))
        default: throw Problem.notFound
        }
    }
}
