internal import CLibPQ

/// Takes the server's notices of one connection from libpq's callback. Used on the connection's loop only.
final class NoticeReceiver {
    private let hook: (@Sendable (ServerError) -> Void)?
    /// The wait of a commit for its synchronous standby was given up: set until it is asked for.
    private var synchronousWaitEnded = false

    init(hook: (@Sendable (ServerError) -> Void)?) {
        self.hook = hook
    }

    /// The receiver must outlive the connection.
    func attach(to connection: OpaquePointer) {
        _ = PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let notice = ServerError(result: result) else { return }
                Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().receive(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func receive(_ notice: ServerError) {
        if notice.endsSynchronousWait { synchronousWaitEnded = true }
        hook?(notice)
    }

    func takeSynchronousWaitEnded() -> Bool {
        defer { synchronousWaitEnded = false }
        return synchronousWaitEnded
    }
}
