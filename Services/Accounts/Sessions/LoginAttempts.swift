import Postgres
import Primitives

/// Slows down guessing (ACC-08). Tries are counted by the name that is typed, whether or not there is such an account,
/// so that being slowed down tells nothing (ACC-07). A try is counted before the password is checked, so that
/// concurrent tries gain nothing.
///
/// Tries are counted for each name and client address together, so that guessing from elsewhere does not keep the owner
/// out. Tries from many addresses are bounded for each name as well; addresses from which the right password came
/// lately do not count. When those tries are used up, the other sites take turns, `pauseSecondsMax` apart: each site
/// has one turn at a time, which no other can take, and waits at most `turnWaitMax` for it. So guessing from many sites
/// delays an owner on the road once, and gains one try for each site and wait. Who shares the owner's address (or a
/// proxy that is not declared) can still delay the owner, by at most `pauseSecondsMax` at a time.
struct LoginAttempts: Sendable {
    /// The keyed hashes under which a try is counted.
    struct Place: Sendable {
        /// The name and the client address.
        let here: [UInt8]
        /// The name alone; `nil` when the client address is no evidence.
        let name: Name?
    }

    struct Name: Sendable {
        let index: [UInt8]
        /// The name and the client's site: the key of its turn.
        let turn: [UInt8]
        /// The name: the key of the last turn given out.
        let turns: [UInt8]
    }

    /// Consecutive wrong passwords after which the owner is told and tries have to wait.
    static let freeTries = 3
    static let firstPauseSeconds = 5
    static let pauseSecondsMax = 60
    /// After this a series of wrong passwords is forgotten.
    static let memory = Duration.seconds(24 * 3600)
    /// Tries with one name, from all addresses together from which the right password has not come.
    static let triesPerNameMax = 100
    static let nameWindow = Duration.seconds(3600)
    static let nameTries = TryWindow(
        table: "login_name_attempt", subject: "login_index", max: triesPerNameMax, length: nameWindow)
    static let turnWaitMax = Duration.seconds(900)
    /// A time further ahead than its pause by more than this was stored before the clock was set back; replicas' clocks
    /// differ by less.
    private static let skewMax = Duration.seconds(60)
    /// How long an address counts as known after a right password.
    static let placeLife = Duration.seconds(30 * 24 * 3600)

    let store: Store

    /// Whether the right password came from this address lately.
    func isKnown(_ place: Place) async throws -> Bool {
        try await store.database.queryOne(
            """
            select exists (select from login_place
              where place_index = \(place.here) and seen_at > \(store.now() - Self.placeLife))
            """, as: Bool.self) == true
    }

    /// A try that was counted, and what it was counted by.
    struct Counted: Sendable {
        fileprivate let here: [UInt8]
        fileprivate var name: [UInt8]?
        fileprivate var turn: [UInt8]?
        fileprivate let time: Timestamp
    }

    /// Counts a try. Throws `too-many-tries` when it comes too early; then it is not counted.
    func begin(_ place: Place, isKnown: Bool) async throws -> Counted {
        let now = store.now()
        try await count(place.here, at: now)
        var counted = Counted(here: place.here, time: now)
        guard !isKnown, let name = place.name else { return counted }
        if try await isFree(name.index) {
            counted.name = name.index
        } else {
            try await takeTurn(name)
            counted.turn = name.turn
        }
        return counted
    }

    /// Takes back a try whose password was not checked after all: it tells nothing about the password, and its owner is
    /// not slowed down for it.
    func takeBack(_ counted: Counted) async throws {
        var statements: [SQL] = [
            "delete from login_attempt where login_index = \(counted.here) and tries = 1",
            // A later try, which has set a pause since, keeps it.
            """
            update login_attempt set tries = tries - 1,
              not_before = case when last_at = \(counted.time) then \(counted.time) else not_before end
            where login_index = \(counted.here) and tries > 1
            """,
        ]
        if let name = counted.name {
            statements += [
                "delete from login_name_attempt where login_index = \(name) and tries = 1",
                "update login_name_attempt set tries = tries - 1 where login_index = \(name) and tries > 1",
            ]
        }
        if let turn = counted.turn {
            statements.append(
                """
                insert into login_attempt (login_index, tries, last_at, not_before)
                values (\(turn), 1, \(counted.time), \(counted.time))
                on conflict on constraint login_attempt_key do nothing
                """)
        }
        try await store.database.batch(statements)
    }

    /// Clears the series of wrong passwords after a right one; the address is known from now on.
    func succeeded(_ place: Place) async throws {
        var statements: [SQL] = ["delete from login_attempt where login_index = \(place.here)"]
        if place.name != nil {
            statements.append(
                """
                insert into login_place (place_index, seen_at) values (\(place.here), \(store.now()))
                on conflict on constraint login_place_key do update set seen_at = excluded.seen_at
                """)
        }
        try await store.database.batch(statements)
    }

    private func count(_ index: [UInt8], at now: Timestamp) async throws {
        let tries = try await store.database.queryOne(
            """
            insert into login_attempt as a (login_index, tries, last_at, not_before)
            values (\(index), 1, \(now), \(now))
            on conflict on constraint login_attempt_key do update set
              tries = case when a.last_at < \(now - Self.memory) then 1 else a.tries + 1 end,
              last_at = \(now),
              not_before = case
                when a.last_at < \(now - Self.memory) or a.tries + 1 < \(Self.freeTries) then \(now)
                else \(now) + interval '1 second' * least(
                  \(Self.pauseSecondsMax),
                  \(Self.firstPauseSeconds) * power(2, least(a.tries + 1 - \(Self.freeTries), 20)))
                end
            where a.not_before <= \(now) or a.not_before > \(now + .seconds(Int64(Self.pauseSecondsMax)) + Self.skewMax)
            returning tries
            """, as: Int32.self)
        guard tries == nil else { return }
        let notBefore = try await store.database.queryOne(
            "select not_before from login_attempt where login_index = \(index)", as: Timestamp.self)
        throw Self.refusal(until: notBefore, now)
    }

    /// Counts a try with a name; returns whether it may be made without waiting for a turn.
    private func isFree(_ name: [UInt8]) async throws -> Bool {
        try await Self.nameTries.count("\(name)", at: store.now(), in: store.database)
    }

    /// Uses the site's turn. Without one gives the site a turn and refuses the try until then. A turn is kept until it
    /// is used.
    private func takeTurn(_ name: Name) async throws {
        let now = store.now()
        let latest = now + Self.turnWaitMax + Self.skewMax
        let used = try await store.database.execute(
            """
            delete from login_attempt
            where login_index = \(name.turn) and (not_before <= \(now) or not_before > \(latest))
            """)
        guard used == 0 else { return }
        let pause = Duration.seconds(Self.pauseSecondsMax)
        let notBefore = try await store.database.queryOne(
            """
            with held as (select not_before from login_attempt where login_index = \(name.turn)),
            last as (
              insert into login_attempt as a (login_index, tries, last_at, not_before)
              select \(name.turns), 1, \(now), \(now + pause) where not exists (select from held)
              on conflict on constraint login_attempt_key do update set
                last_at = \(now),
                not_before = least(
                  greatest(a.not_before, \(now)) + interval '1 second' * \(Self.pauseSecondsMax),
                  \(now + Self.turnWaitMax))
              returning not_before),
            given as (
              insert into login_attempt as a (login_index, tries, last_at, not_before)
              select \(name.turn), 1, \(now), not_before from last
              on conflict on constraint login_attempt_key do update set last_at = \(now)
              returning not_before)
            select not_before from held union all select not_before from given
            """, as: Timestamp.self)
        throw Self.refusal(until: notBefore, now)
    }

    private static func refusal(until time: Timestamp?, _ now: Timestamp) -> Refusal {
        Refusal(
            .tooManyTries, "too-many-tries", "Too many wrong passwords; please wait a moment.",
            retryAfter: max(.seconds(1), (time ?? now) - now))
    }
}
