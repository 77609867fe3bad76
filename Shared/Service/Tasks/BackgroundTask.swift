/// Work of a service beside answering requests: reading feeds, sealing, deleting. Runs until it is cancelled or
/// returns; when it throws, it is started again.
public struct BackgroundTask: Sendable {
    public let name: String
    /// The longest pause before it is started again.
    let pauseMax: Duration
    let body: @Sendable () async throws -> Void

    /// `name` appears in logs and metrics. A task on which alarms depend (`carriesAlarms`) is started again within a second.
    public init(_ name: String, carriesAlarms: Bool = false, _ body: @escaping @Sendable () async throws -> Void) {
        self.name = name
        pauseMax = carriesAlarms ? BackgroundTasks.alarmPauseMax : BackgroundTasks.pauseMax
        self.body = body
    }

    /// Runs `work` at once and then repeatedly, `interval` after it ended, give or take a tenth, so that replicas do
    /// not synchronise.
    public static func periodic(
        _ name: String, every interval: Duration, carriesAlarms: Bool = false, pacing: any Pacing = LoopPacing(),
        _ work: @escaping @Sendable () async throws -> Void
    ) -> BackgroundTask {
        BackgroundTask(name, carriesAlarms: carriesAlarms) {
            while !Task.isCancelled {
                try await work()
                try await pacing.pause(interval * Double.random(in: 0.9...1.1))
            }
        }
    }
}
