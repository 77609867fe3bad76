import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// `dispatcher.provisional`: judges samples of watched people that ingestion could not store (SOS-05), as those of the live feed are,
/// with a mark. What follows is on disk when it is answered.
///
/// Nothing is judged twice when they come again through the feed: a monitor drops samples that it has, an incident's id is that of
/// its first critical sample, and a run that has led to one leads to no other. That they rest on samples that were not stored stands
/// in the incident (`Finding.isProvisional`, the steps `provisional` and `stored`).
///
/// While this service's own database is away, too, the monitors in memory judge them (`ProvisionalJudge`).
struct ProvisionalMethod: Sendable {
    /// Older ones dispatch nobody any more.
    static let ageMax = Monitor.backlogMax
    static let seriesMax = 200

    let judge: ProvisionalJudge
    private var log: Log { judge.people.log }

    func register(in rpc: inout RPCRouter) {
        rpc.register(Dispatcher.Provisional.self, allow: [ServiceName.ingestion.rawValue]) { params, _ in
            try await take(params)
        }
    }

    private func take(_ params: Dispatcher.Provisional.Params) async throws -> Dispatcher.Provisional.Result {
        let (now, uploads) = (Deadline.now(), params.uploads)
        let samples = uploads.reduce(0) { $0 + $1.samples.series.reduce(0) { $0 + $1.count } }
        guard uploads.count <= Dispatcher.Provisional.uploadsMax, samples <= Dispatcher.Provisional.samplesMax else {
            throw RPCError(.invalidParams, "These are too many samples.")
        }
        let sound = uploads.filter(Self.isSound)
        if sound.count < uploads.count {
            log.error(
                "provisional samples were passed over: their form or age cannot be right",
                ["uploads": .integer(Int64(uploads.count - sound.count))])
        }
        let unknown =
            sound.isEmpty
            ? []
            : try await judge.judge(
                sound.map {
                    WatchedPeople.Upload(
                        samples: $0.samples, age: .milliseconds($0.ageMilliseconds), at: now, isProvisional: true)
                })
        return .init(replica: judge.people.incidents.holder, unknown: unknown.sorted())
    }

    /// Whatever ingestion says: nothing that could be no upload of a moment ago is judged. Times and values are checked with each
    /// sample (`Observation`).
    private static func isSound(_ upload: Dispatcher.Provisional.Upload) -> Bool {
        (0...ageMax.milliseconds).contains(upload.ageMilliseconds) && upload.samples.series.count <= seriesMax
            && upload.samples.series.allSatisfy { $0.shapeError == nil }
    }
}
