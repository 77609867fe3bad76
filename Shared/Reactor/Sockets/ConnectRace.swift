import Glibc

/// TCP connections to several addresses at once, as RFC 8305 has it: the first that is taken wins.
enum ConnectRace {
    /// Each address begins so long after the one before, or when one has failed.
    private static let headStart = Duration.milliseconds(250)

    struct Winner: Sendable {
        /// Connected and non-blocking.
        let descriptor: Int32
        /// Of its address.
        let index: Int
    }

    /// The connection that was made first. Call on `loop`. Errors: those of the address
    /// that failed last; `timedOut`, `cancelled`.
    ///
    /// - Precondition: there is an address.
    static func run(
        _ addresses: [SocketAddress], on loop: EventLoop, deadline: Deadline
    ) async throws(IOError) -> Winner {
        if addresses.count == 1 {
            return Winner(descriptor: try await connect(addresses[0], on: loop, deadline: deadline), index: 0)
        }
        let (began, failures) = (Deadline.now(), EventCounter())
        let outcome = await withTaskGroup(of: Result<Winner, IOError>.self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask(executorPreference: loop) {
                    if index > 0 {
                        let start = min(deadline, began.advanced(by: headStart * index))
                        _ = await failures.wait(after: UInt64(index - 1), deadline: start)
                    }
                    do throws(IOError) {
                        let descriptor = try await connect(address, on: loop, deadline: deadline)
                        return .success(Winner(descriptor: descriptor, index: index))
                    } catch {
                        failures.raise()
                        return .failure(error)
                    }
                }
            }
            var outcome = Result<Winner, IOError>.failure(.timedOut)
            for await result in group {
                switch (outcome, result) {
                // Two were taken at the same time.
                case (.success, .success(let second)): Glibc.close(second.descriptor)
                case (.success, .failure): break
                case (.failure, _):
                    outcome = result
                    if case .success = result { group.cancelAll() }
                }
            }
            return outcome
        }
        return try outcome.get()
    }

    private static func connect(
        _ address: SocketAddress, on loop: EventLoop, deadline: Deadline
    ) async throws(IOError) -> Int32 {
        guard !Task.isCancelled else { throw .cancelled }
        let descriptor = try Socket.make(address.domain)
        do throws(IOError) {
            let code = address.withSockaddr { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
            if code == EINPROGRESS {
                let watch = try Watch(descriptor: descriptor, on: loop)
                defer { watch.close() }
                try await watch.writable(deadline: deadline)
            }
            let failure = code == EINPROGRESS ? Socket.pendingError(descriptor) : code
            guard failure == 0 else { throw .system(operation: "connect \(address)", errno: failure) }
            return descriptor
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }
}
