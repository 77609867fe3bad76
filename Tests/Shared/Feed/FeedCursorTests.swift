@testable import Feed
import JSON
import Testing

@Suite struct FeedCursorTests {
    @Test("A cursor moves each lane forward only, and lanes beyond the last are ignored")
    func advances() {
        var cursor = FeedCursor(epoch: "e", positions: [])
        cursor.advance(lane: 2, to: 10)
        cursor.advance(lane: 2, to: 9)
        cursor.advance(lane: 65, to: 9)
        cursor.advance(lane: -1, to: 9)
        #expect(cursor.positions == [0, 0, 10])
        #expect(cursor[2] == 10 && cursor[0] == 0 && cursor[64] == 0)
        #expect(cursor.isBehind(lane: 2, floor: 11) && !cursor.isBehind(lane: 2, floor: 10))
        #expect(cursor.isBehind(lane: 5, floor: 1))
    }

    @Test("A cursor is JSON with its lanes as members, and lanes that do not exist are refused")
    func json() throws {
        let cursor = FeedCursor(epoch: "1-2-3", positions: [5, 0, 9_007_199_254_740_993])
        let bytes = try JSONEncoder().encode(cursor)
        #expect(try JSONDecoder().decode(FeedCursor.self, from: bytes) == cursor)
        let text = #"{"epoch":"x","lanes":{"64":7}}"#
        #expect(try JSONDecoder().decode(FeedCursor.self, from: Array(text.utf8))[64] == 7)
        for wrong in [#"{"65":7}"#, #"{"-1":7}"#, #"{"a":7}"#, #"{"1":-7}"#] {
            let text = #"{"epoch":"x","lanes":\#(wrong)}"#
            #expect(throws: JSONError.self) { try JSONDecoder().decode(FeedCursor.self, from: Array(text.utf8)) }
        }
    }
}
