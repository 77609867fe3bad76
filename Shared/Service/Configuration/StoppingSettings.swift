import JSON

/// How a service stops: first it answers `/readyz` with 503 and goes on serving, so that load balancers notice; then it
/// accepts nothing more, finishes requests in progress, and ends.
public struct StoppingSettings: Decodable, Sendable {
    static let secondsMax = 600

    /// From readiness turned false to the end of accepting.
    public var grace = Duration.seconds(5)
    /// Time limit for all of stopping, the grace included: less than the time after which the process is killed (30 s
    /// by default in Docker and Kubernetes).
    public var total = Duration.seconds(25)

    private enum CodingKeys: String, CodingKey {
        case grace = "grace_s"
        case total = "total_s"
    }

    public init() {}

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let seconds = try container.number(.grace, 0...Self.secondsMax) { grace = .seconds(seconds) }
        if let seconds = try container.number(.total, 1...Self.secondsMax) { total = .seconds(seconds) }
        guard grace < total else {
            throw DecodingError.dataCorruptedError(
                forKey: .grace, in: container, debugDescription: "expected less than total_s")
        }
    }
}
