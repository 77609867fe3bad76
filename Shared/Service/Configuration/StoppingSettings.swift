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
        func seconds(_ key: CodingKeys, from least: Int, or other: Duration) throws -> Duration {
            guard let seconds = try container.decodeIfPresent(Int.self, forKey: key) else { return other }
            guard (least...Self.secondsMax).contains(seconds) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "expected a number from \(least) to \(Self.secondsMax)")
            }
            return .seconds(seconds)
        }
        grace = try seconds(.grace, from: 0, or: grace)
        total = try seconds(.total, from: 1, or: total)
        guard grace < total else {
            throw DecodingError.dataCorruptedError(
                forKey: .grace, in: container, debugDescription: "expected less than total_s")
        }
    }
}
