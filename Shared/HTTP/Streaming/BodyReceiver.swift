import Reactor

/// Receives a request's body while watching its sender's pace: in all the sender may keep the server waiting for a
/// grace period, and a second more for every so many bytes.
struct BodyReceiver {
    /// The client went away in the middle of its request.
    static let incomplete = Problem(.badRequest, code: "incomplete-request", detail: "the body is incomplete")

    let stream: ByteStream
    private let timeouts: HTTPServerConfiguration.Timeouts
    private let waitMax: Duration?
    private var waited = Duration.zero

    /// `waitMax` bounds the waiting however many bytes come.
    init(_ stream: ByteStream, _ timeouts: HTTPServerConfiguration.Timeouts, waitMax: Duration?) {
        self.stream = stream
        self.timeouts = timeouts
        self.waitMax = waitMax
    }

    /// More of the body, of which `byteCount` bytes are there.
    mutating func read(into input: inout ByteBuffer, byteCount: Int) async throws(Problem) {
        let pace = timeouts.body + .milliseconds(byteCount * 1000 / max(1, timeouts.bodyBytesPerSecondMin))
        let allowed = min(pace, waitMax ?? pace)
        let started = Deadline.now()
        do throws(IOError) {
            let count = try await stream.read(into: &input, deadline: started.advanced(by: allowed - waited))
            waited += Deadline.now().since(started)
            if count > 0 { return }
        } catch {
            switch error {
            case .timedOut:
                throw Problem(.requestTimeout, code: "request-timeout", detail: "the body did not arrive in time")
            case .cancelled: throw .deadlineExceeded
            default: break
            }
        }
        throw Self.incomplete
    }

    /// Invites the client to send the body.
    func sendContinue() async throws(Problem) {
        do throws(IOError) {
            try await stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), stallMax: timeouts.writeStall)
        } catch { throw Self.incomplete }
    }
}
