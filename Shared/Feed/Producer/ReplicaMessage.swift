internal import Primitives

/// The messages of a producer's replicas to each other, by `NOTIFY`.
struct ReplicaMessage: Equatable {
    enum Content: Equatable {
        /// The sender exists: replicas that publish notify it from now on.
        case hello
        /// Feed, and `lane:position` pairs.
        case news([News])
    }

    struct News: Equatable {
        let feed: String
        let lanes: [Lane]
    }

    struct Lane: Equatable {
        let lane: Int
        let position: Int64
    }

    /// PostgreSQL's limit is 8000 bytes.
    static let bytesMax = 7900

    let replica: UUID
    let content: Content

    /// `uuid hello`, or `uuid feed lane:position lane:position;feed …`. News beyond the limit are cut; a feed that is
    /// named without lanes has something new in any lane.
    var text: String {
        var text = replica.description
        switch content {
        case .hello: return text + " hello"
        case .news(let feeds):
            for (index, news) in feeds.enumerated() {
                text += index == 0 ? " " : ";"
                var part = news.feed
                for lane in news.lanes { part += " \(lane.lane):\(lane.position)" }
                // Only with more feeds than any service has do not even their names fit.
                text += text.utf8.count + part.utf8.count < Self.bytesMax ? part : news.feed
            }
            return text
        }
    }

    init(replica: UUID, content: Content) {
        self.replica = replica
        self.content = content
    }

    /// `nil` when it is not such a message.
    init?(_ text: String) {
        guard let space = text.firstIndex(of: " "), let replica = UUID(String(text[..<space])) else { return nil }
        self.replica = replica
        let rest = text[text.index(after: space)...]
        guard rest != "hello" else {
            content = .hello
            return
        }
        var feeds: [News] = []
        for part in rest.split(separator: ";") {
            let words = part.split(separator: " ")
            guard let feed = words.first else { return nil }
            var lanes: [Lane] = []
            for word in words.dropFirst() {
                let numbers = word.split(separator: ":")
                guard numbers.count == 2, let lane = Int(numbers[0]), (0..<FeedSchema.laneCount).contains(lane),
                    let position = Int64(numbers[1])
                else { return nil }
                lanes.append(Lane(lane: lane, position: position))
            }
            feeds.append(News(feed: String(feed), lanes: lanes))
        }
        content = .news(feeds)
    }
}
