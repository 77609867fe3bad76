internal import Postgres
internal import Primitives
internal import Reactor
internal import Telemetry

/// How replicas share a feed that is divided into parts.
///
/// After an outage of the database nobody takes parts at once (`ClaimPause`).
///
/// Who cannot reach the producer for 2 s leaves the parts to the others, if there are any, until it can.
///
/// ```
/// every 300 ms: I am alive ──▶ who is alive, and who has which parts?
///                                │ nobody has some (given back, or their replica has been silent for 1.2 s)
///                                │   and I have fewer than my share ──▶ claim them: new fences, mine from now on
///                                │ I have more than my share ─────────▶ stop, give the rest back, go on
///                                ▼
///                              follow my parts together, from the least of their cursors; of what other replicas have
///                              applied already nothing is applied again
/// ```
extension ShardConsumer {
    private static let unreachableMax = Duration.seconds(2)

    /// Shares the feed until the task is cancelled; then gives everything back.
    func share(on loop: EventLoop) async {
        var work: Task<Void, Never>?
        var followed: [Int] = []
        var failure = RepeatedFailure()
        var pause = ClaimPause()
        func stop() async {
            work?.cancel()
            await work?.value
            (work, followed) = (nil, [])
        }
        while !Task.isCancelled {
            do {
                var share = try await leases.renew()
                if share.holders.isEmpty {
                    try await store.make(settings.parts ?? 1)
                    share = try await leases.renew()
                }
                if unreachable > Self.unreachableMax, share.replicas.count > 1 {
                    await stop()
                    metrics.set(parts: 0)
                    try await leases.leave()
                    pause.left()
                    while !Task.isCancelled, await !reaches() { try await loop.sleep(for: PartLeases.interval) }
                    continue
                }
                pause.renewed(at: .now())
                var (claims, releases) = share.changes(for: store.replica)
                if !pause.isOver { claims = [] }
                if !claims.isEmpty || !releases.isEmpty {
                    if !releases.isEmpty {
                        await stop()
                        try await leases.release(releases)
                    }
                    if !claims.isEmpty { try await leases.claim(claims) }
                    share = try await leases.renew()
                }
                let mine = share.parts(of: store.replica)
                if mine != followed || work == nil {
                    await stop()
                    followed = mine
                    metrics.set(parts: mine.count)
                    work = loop.task {
                        if mine.isEmpty { await self.rest() } else { await self.follow(on: loop) }
                    }
                }
                failure.succeeded()
            } catch {
                guard !Task.isCancelled else { break }
                report(.interrupted(feed: feed, error: error, isKnown: !failure.isToBeTold()))
            }
            do { try await loop.sleep(for: PartLeases.interval) } catch { break }
        }
        await stop()
        // In a task that is not cancelled. Without it, others wait until the lease is over.
        await loop.task { try? await self.leases.leave() }.value
    }

    /// Tells the handler that nothing is left to this replica.
    private func rest() async {
        do {
            try await follow(FeedParts(count: settings.parts ?? 1, numbers: []))
        } catch {
            guard !Task.isCancelled else { return }
            report(.interrupted(feed: feed, error: error, isKnown: false))
        }
    }
}
