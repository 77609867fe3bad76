import HTTP
import Primitives
import Reactor
import SuiteClient
import Synchronization
import Testing

@testable import Simulator

@Suite("A service that is away")
struct OutageTests {
    private static let error = SuiteError.unreachable(call: "POST /uploads", reason: "refused")

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("an outage is told once, and that it is over once; pauses grow up to a limit")
    func once() {
        let lines = Lines()
        let outage = Outage("Uploads", tell: { line in lines.all.withLock { $0.append(line) } })
        outage.succeeded()
        let began = Deadline.now()
        var pauses: [Duration] = []
        for second in 0..<60 {
            pauses.append(outage.failed(Self.error, at: began.advanced(by: .seconds(second))))
            // Another lane's upload came through: that is still the same outage.
            outage.succeeded(at: began.advanced(by: .seconds(second) + .milliseconds(100)))
        }
        #expect(lines.all.withLock(\.count) == 1)
        #expect(lines.all.withLock { $0[0] }.hasPrefix("Uploads: POST /uploads has no answer: refused."))
        #expect(pauses[0] <= .seconds(1) && pauses[0] >= .milliseconds(500))
        #expect(pauses.allSatisfy { $0 <= .seconds(10) } && pauses[59] >= .seconds(5))
        for second in 70..<80 { outage.succeeded(at: began.advanced(by: .seconds(second))) }
        #expect(lines.all.withLock(\.count) == 2)
        #expect(lines.all.withLock { $0[1] }.contains("works again"))
        _ = outage.failed(Self.error, at: began.advanced(by: .seconds(90)))
        #expect(lines.all.withLock(\.count) == 3)
    }

    @Test("services that are away or busy are outages; refusals are not")
    func kinds() {
        func refusal(_ status: UInt16) -> SuiteError {
            .refused(call: "", status: .init(rawValue: status), code: "", detail: "")
        }
        #expect(Self.error.isOutage && refusal(503).isOutage && refusal(429).isOutage)
        #expect(!refusal(403).isOutage && !refusal(401).isOutage && !SuiteError.local("").isOutage)
    }
}
