import Security
import Service
import ServiceTesting

@testable import Ingestion

extension IngestionTest {
    /// A writer of its own, as another replica has one.
    func writer(turns: CommitTurns = CommitTurns(), recent: RecentlyStored? = nil) -> ArrivalWriter {
        let context = service.context
        return ArrivalWriter(
            database: database, live: liveFeed, counters: ArrivalCounters(),
            sealing: SealJob(sealer: sealer(), observer: context.observer),
            sourceNames: BlindIndex(master: context.keys.blindIndex, column: "ingestion.source.identity"),
            clock: service.clock, uploads: BusyMeter(), turns: turns, recent: recent)
    }
}
