import Contracts
import Domain
import HTTP
import Primitives
import Reactor
import Security
import Service

/// Routes with which individuals see where they were (ING-08).
struct LocationRoutes: Sendable {
    static let pointsMaxDefault = 5000
    static let pointsMaxLimit = 100_000
    /// Fixes that are written together.
    private static let pieceMax = 5000
    private static let gpx = MediaType("application/gpx+xml")

    let samples: PersonSamples
    let contexts: PersonContexts
    let clock: any WallClock

    /// `shard` gives the routes of a person's shard.
    static func add(
        to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> LocationRoutes
    ) {
        routes.onQuestion("/ingestion/v1/me/locations", query: .read) { request, caller in
            let (from, to, pointsMax) = try request.parameters { (query) throws(Problem) in
                let pointsMax = query.number("max_points", 2...Self.pointsMaxLimit) ?? Self.pointsMaxDefault
                let (from, to) = try query.span()
                return (from, to, pointsMax)
            }
            let own = try await shard(caller.account)
            let fixes = try await own.fixes(of: caller.account, from, to)
            return try await own.samples.threads.computing {
                try .json(LocationAnswer(fixes, from: from, to: to, pointsMax: pointsMax))
            }
        }
        routes.onQuestion("/ingestion/v1/me/locations.gpx", query: .read) { request, caller in
            let (from, to) = try request.parameters { (query) throws(Problem) in try query.span() }
            let own = try await shard(caller.account)
            let held = try HeldSamples.ofProcess.reserve(PersonSamples.samplesMax, for: caller.account)
            let tracks = try await own.fixesOfSources(of: caller.account, from, to)
            held.shrink(to: tracks.reduce(0) { $0 + $1.count })
            let (now, threads) = (own.clock.now(), own.samples.threads)
            return .stream(Self.gpx) { writer in
                var gpx = GPXWriter(createdAt: now)
                for track in tracks {
                    gpx.beginTrack()
                    for start in stride(from: 0, to: track.count, by: Self.pieceMax) {
                        let before = gpx
                        let (text, after) = try await threads.computing {
                            var gpx = before
                            for index in start..<min(start + Self.pieceMax, track.count) {
                                if let fix = track.fix(index) { gpx.add(fix) }
                            }
                            return (gpx.take(), gpx)
                        }
                        gpx = after
                        try await writer.write(text)
                    }
                    gpx.endTrack()
                }
                gpx.finish()
                try await writer.write(gpx.take())
            }.holding(held)
        }
    }

    /// In the order of time; of several sources those of one per hour.
    private func fixes(of account: UUID, _ from: Timestamp, _ to: Timestamp) async throws -> PositionColumn {
        let person = try await contexts.context(of: account)
        let order = person.order(of: .position)
        return try await read(account, from, to, person, into: PositionColumn()) { column, block in
            guard let counted = block.counted(order) else { return 0 }
            column.append(0..<counted.positions.count, of: counted.positions)
            return counted.positions.count
        } then: { column in
            var ordered = column
            ordered.normalize()
            return ordered
        }
    }

    /// All, source by source, each in the order of time.
    private func fixesOfSources(
        of account: UUID, _ from: Timestamp, _ to: Timestamp
    ) async throws -> [PositionColumn] {
        try await read(account, from, to, nil, into: [Int16: PositionColumn]()) { columns, block in
            for source in block.sources {
                columns[source.source, default: PositionColumn()].append(0..<source.count, of: source.positions)
            }
            return block.count
        } then: { columns in
            columns.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// `add` returns how many it has added.
    private func read<State: Sendable, Result: Sendable>(
        _ account: UUID, _ from: Timestamp, _ to: Timestamp, _ person: PersonContext?, into initial: State,
        _ add: @escaping @Sendable (inout State, BlockSamples) -> Int,
        then finish: @escaping @Sendable (State) -> Result
    ) async throws -> Result {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        do {
            return try await samples.reduce(
                of: account, .position, from: from, to: to, person, into: (state: initial, count: 0)
            ) { found, _, block in
                guard let block else { return }
                found.count += add(&found.state, block.filtered { $0 >= start && $0 < end })
                try PersonSamples.checkCount(found.count)
            } then: {
                finish($0.state)
            }
        } catch is PersonSamples.TooMuch {
            throw Problem(parameter: "from", "the span holds too many positions; ask for a shorter one")
        }
    }
}

/// `GET /me/locations`.
struct LocationAnswer: Encodable, Sendable {
    struct Place: Encodable, Sendable {
        let latitude: Double
        let longitude: Double
        let from: Timestamp
        let to: Timestamp
        let fixes: Int
    }

    struct Track: Encodable, Sendable {
        let from: Timestamp
        let to: Timestamp
        /// Along all its fixes, in metres.
        let distance: Double
        let series: [SampleSeries]
    }

    let from: Timestamp
    let to: Timestamp
    let places: [Place]
    let tracks: [Track]
    /// Present when tracks show fewer fixes than they have (ING-06).
    let thinned: SeriesAnswer.Thinned?

    init(_ column: PositionColumn, from: Timestamp, to: Timestamp, pointsMax: Int) {
        let fixes = (0..<column.count).compactMap(column.fix)
        var (places, tracks, all, shown) = ([Place](), [LocationSpan.Track](), 0, 0)
        for span in Places.spans(of: fixes) {
            switch span {
            case .place(let place):
                places.append(
                    Place(
                        latitude: Self.rounded(place.centre.latitude), longitude: Self.rounded(place.centre.longitude),
                        from: place.from, to: place.to, fixes: place.fixes.count))
            case .track(let track):
                tracks.append(track)
                all += track.fixes.count
            }
        }
        self.tracks = tracks.map { track in
            // Two at least, so that every track has its ends.
            let count = all <= pointsMax ? track.fixes.count : max(2, pointsMax * track.fixes.count / max(1, all))
            var part = PositionColumn()
            for index in Thinning.spread(track.fixes.count, countMax: count) {
                part.append(fixes[track.fixes.lowerBound + index])
            }
            shown += part.count
            return Track(
                from: track.from, to: track.to, distance: track.distance.rounded(),
                series: SampleBatch(positions: part).series())
        }
        self.from = from
        self.to = to
        self.places = places
        thinned = shown < all ? .init(samples: all, shown: shown, method: "every-nth") : nil
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}

extension PositionColumn {
    /// `nil` for what no receiver reports.
    func fix(_ index: Int) -> PositionFix? {
        guard let coordinate = Coordinate(latitude: latitude(index), longitude: longitude(index)) else { return nil }
        return PositionFix(
            time: Timestamp(milliseconds: times[index]), coordinate: coordinate, altitude: altitude(index),
            accuracy: accuracy(index))
    }
}

extension QueryReader {
    /// The parameters `from` and `to`, the latter excluded; `nil` for one that is absent or cannot be read.
    mutating func bounds() -> (from: Timestamp?, to: Timestamp?) {
        let (from, to) = (value("from", as: Timestamp.self), value("to", as: Timestamp.self))
        if let from, let to, from >= to { refuse("to", "write a time after from") }
        return (from, to)
    }

    /// The same where both have to be there.
    mutating func span() throws(Problem) -> (from: Timestamp, to: Timestamp) {
        let (from, to) = bounds()
        return (try required("from", from), try required("to", to))
    }
}
