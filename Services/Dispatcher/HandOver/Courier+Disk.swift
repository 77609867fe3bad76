import Reactor

extension Courier {
    /// How soon the disk is asked again for what it has not taken.
    private static let securePause = Duration.seconds(1)

    /// Asks the disk again for what neither it nor the database has taken, however long that hangs; until cancelled. What is newer than a
    /// second is with the database just now.
    func secureAgain() async {
        while !Task.isCancelled {
            let seen = news.value
            let late = Set(unsecured.map(\.id))
            guard !late.isEmpty else {
                _ = await news.wait(after: seen)
                continue
            }
            do { try await EventLoop.current?.sleep(for: Self.securePause) } catch { return }
            if unsecured.contains(where: { late.contains($0.id) }) { await secure() }
        }
    }
}
