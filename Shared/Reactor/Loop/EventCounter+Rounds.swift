extension EventCounter {
    /// Runs rounds until the task is cancelled: at once, then again when the counter is raised, and `interval` after the
    /// round before at the latest. A round that fails is followed by others like any other; `tell` gets those of its errors
    /// that are to be logged (`RepeatedFailure`), none once the task is cancelled. Call on a loop.
    public func rounds(
        every interval: Duration, _ round: () async throws -> Void, failed tell: (any Error) -> Void
    ) async {
        var failure = RepeatedFailure()
        while !Task.isCancelled {
            let seen = value
            do {
                try await round()
                failure.succeeded()
            } catch {
                if !Task.isCancelled, failure.isToBeTold() { tell(error) }
            }
            _ = await wait(after: seen, deadline: .after(interval))
        }
    }
}
