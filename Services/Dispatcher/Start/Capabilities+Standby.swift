import JSON
import Primitives
import Reactor
import Service

/// What goes on while the database is away, and what has to be in place for it.
extension Capabilities {
    /// How often what is on this machine's disk is tried again.
    private static let settleInterval = Duration.seconds(1)

    func addStandby(to parts: inout ServiceParts, pacing: any Pacing) {
        parts.tasks += [
            BackgroundTask("local-journal", carriesAlarms: true) { [self] in await runJournal() },
            BackgroundTask("roster", carriesAlarms: true) { [self] in await runRoster() },
            .periodic("enrolled-people", every: EnrolledPeople.interval, pacing: pacing) { [enrolledPeople] in
                try await enrolledPeople.look()
            },
        ]
        let metrics = context.metrics
        metrics.gauge("trackme_journal_entries", "Entries of the local journal that the database has not.") {
            [journal] in
            Double(journal.count)
        }
        metrics.gauge("trackme_journal_bytes", "Bytes of the local journal on disk.") { [journal] in
            Double(journal.bytes)
        }
        metrics.gauge("trackme_journal_usable", "Whether the local journal is open: 1, or 0.") { [journal] in
            journal.isOpen ? 1 : 0
        }
        metrics.gauges(
            "trackme_roster_people",
            "Watched people who are judged while the database is away, and those who found no room.",
            labels: ["state"]
        ) { [standby] in
            [(["kept"], Double(standby.roster.count)), (["refused"], Double(standby.roster.refused))]
        }
    }

    /// Reads who is followed now and then, and at once when that has changed.
    private func runRoster() async {
        await standby.roster.newParts.rounds(every: RosterKeeper.interval) {
            try await rosterKeeper.keep()
        } failed: { error in
            context.log.warning("not everybody who is watched is in memory", ["error": Log.text(of: error)])
        }
    }

    /// Opens the journal as soon as it can be, and works off what is in it.
    private func runJournal() async {
        await journal.changes.rounds(every: Self.settleInterval) {
            try await journal.open()
            try await desk.settleRest(at: standby.clock.now())
        } failed: { error in
            context.log.error("the local journal is not worked off", ["error": Log.text(of: error)])
        }
    }
}
