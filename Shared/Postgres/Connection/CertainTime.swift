public import Primitives

extension SQLSession {
    /// The earlier of this machine's time and the database's. What ends or is deleted for good when its time is over does so
    /// by this time: a clock that is set ahead, of either machine, ends nothing too early.
    public func certainTime(by clock: any WallClock) async throws(PostgresError) -> Timestamp {
        let time = try await queryOne("select least(\(clock.now()), now())", as: Timestamp.self)
        guard let time else { throw .usage("the database does not tell the time") }
        return time
    }
}
