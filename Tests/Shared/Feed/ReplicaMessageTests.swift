@testable import Feed
import Primitives
import Testing

@Suite struct ReplicaMessageTests {
    @Test("Replicas understand each other's messages")
    func roundTrip() throws {
        let replica = UUID.random()
        for content in [
            ReplicaMessage.Content.hello,
            .news([.init(feed: "a.b", lanes: [.init(lane: 0, position: 7), .init(lane: 64, position: 1 << 60)])]),
            .news([.init(feed: "a.b", lanes: []), .init(feed: "c.d", lanes: [.init(lane: 1, position: 2)])]),
        ] {
            let message = ReplicaMessage(replica: replica, content: content)
            #expect(ReplicaMessage(message.text) == message)
        }
    }

    @Test("News that do not fit are cut to the feeds' names")
    func cut() throws {
        let lanes = (0..<65).map { ReplicaMessage.Lane(lane: $0, position: .max) }
        let feeds = (0..<20).map { ReplicaMessage.News(feed: "feed.number\($0)", lanes: lanes) }
        let text = ReplicaMessage(replica: .random(), content: .news(feeds)).text
        #expect(text.utf8.count < 8000)
        guard case .news(let read) = try #require(ReplicaMessage(text)).content else { return #expect(Bool(false)) }
        #expect(read.map(\.feed) == feeds.map(\.feed))
        #expect(read[0].lanes == lanes && read[19].lanes.isEmpty)
    }

    @Test("What is no message is ignored")
    func nonsense() {
        for text in ["", "hello", "x hello", "\(UUID.random()) a.b 65:1", "\(UUID.random()) a.b 1", "\(UUID.random())"]
        {
            #expect(ReplicaMessage(text) == nil)
        }
    }
}
