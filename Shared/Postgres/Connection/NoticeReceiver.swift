internal import CLibPQ
internal import JSON
internal import Telemetry

/// Takes the server's notices of one connection from libpq's callback. Used on the connection's loop only.
final class NoticeReceiver {
    private let log: Log
    /// The wait of a commit for its synchronous standby was given up: set until it is asked for.
    private var synchronousWaitEnded = false

    init(_ log: Log) {
        self.log = log
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
        log.write(notice)
    }

    func takeSynchronousWaitEnded() -> Bool {
        defer { synchronousWaitEnded = false }
        return synchronousWaitEnded
    }
}

extension Log {
    /// What the server says beside its answers. Its message is about our own statements and stays; `detail`, which shows
    /// values of rows, does not.
    fileprivate func write(_ notice: ServerError) {
        let level: LogLevel =
            switch notice.severity {
            case .error, .fatal, .panic: .error
            case .warning: .warning
            case .notice, .info, .log, .debug: .debug
            }
        write(
            level, level == .debug ? "database notice" : "database warning",
            ["code": .string(notice.sqlState.rawValue), "message": .string(notice.message)], RequestScope.current?.trace
        )
    }
}
