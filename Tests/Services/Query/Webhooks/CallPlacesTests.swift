import Primitives
import Reactor
import Testing

@testable import Query

/// Calls under way at the same time.
@Suite struct CallPlacesTests {
    @Test(
        "SUB-02c NFR-03: A third party with slow receivers leaves places to the others, and goes on when it has one again"
    )
    func shares() {
        let places = CallPlaces(5, perThirdPartyMax: 3)
        let (slow, other) = (UUID.random(), UUID.random())
        let (first, second) = (EventCounter(), EventCounter())
        for _ in 0..<3 { #expect(places.take(for: slow, waking: first)) }
        #expect(!places.take(for: slow, waking: first))
        for _ in 0..<2 { #expect(places.take(for: other, waking: second)) }
        #expect(!places.take(for: other, waking: second))
        #expect(first.value == 0 && second.value == 0)
        places.leave(slow)
        #expect(first.value == 1 && second.value == 1)
        #expect(places.take(for: other, waking: second) && !places.take(for: slow, waking: first))
        places.leave(other)
        #expect(first.value == 2 && places.take(for: slow, waking: first))
    }

    @Test("SUB-02c NFR-03: A webhook with all of its calls is not all that its third party may have, nor all there is")
    func numbers() {
        #expect(CallLimit.callsMax < CallPlaces.callsPerThirdPartyMax)
        #expect(CallPlaces.callsPerThirdPartyMax < CallPlaces.callsMax)
        #expect(CallPlaces.byHandPerThirdPartyMax < CallPlaces.byHandMax)
    }
}
