import Domain
import Testing

func at(_ latitude: Double, _ longitude: Double) -> Coordinate { Coordinate(latitude: latitude, longitude: longitude)! }

@Suite struct CoordinateTests {
    @Test("RUN-10: distances on the sphere are exact, and within 0.6% of the ellipsoid's")
    func distances() {
        #expect(abs(at(0, 0).distance(to: at(90, 0)) - 10_007_557.22) < 0.01)
        #expect(abs(at(0, 0).distance(to: at(0, 180)) - 20_015_114.44) < 0.01)
        #expect(abs(at(0, 179.5).distance(to: at(0, -179.5)) - 111_195.08) < 0.01)
        #expect(at(45, 9).distance(to: at(45, 9)) == 0)
        // One metre is not lost to rounding.
        #expect(abs(at(45, 9).distance(to: at(45.000_008_993_204, 9)) - 1) < 1e-6)
        // Flinders Peak to Buninyong (GDA technical manual): 54,972.271 m, azimuth 306.8682 degrees.
        let flinders = at(-37.951_033_417, 144.424_867_889)
        let buninyong = at(-37.652_821_139, 143.926_495_528)
        #expect(abs(flinders.distance(to: buninyong) / 54_972.271 - 1) < 0.006)
        #expect(abs(flinders.bearing(to: buninyong) - 306.8682) < 0.2)
    }

    @Test("RUN-10: bearings of the four winds")
    func bearings() {
        #expect(at(10, 10).bearing(to: at(20, 10)) == 0)
        #expect(abs(at(0, 10).bearing(to: at(0, 20)) - 90) < 1e-9)
        #expect(abs(at(10, 10).bearing(to: at(0, 10)) - 180) < 1e-9)
        #expect(abs(at(0, 10).bearing(to: at(0, 0)) - 270) < 1e-9)
    }

    @Test("RUN-10: moving and measuring agree", arguments: [0.0, 37, 90, 180, 251, 359])
    func moving(bearing: Double) {
        for start in [at(45.46, 9.19), at(-8.36, -36.57), at(0.1, 179.99), at(69, -179.99)] {
            for metres in [0.5, 1000, 250_000] {
                let end = start.moved(metres: metres, bearing: bearing)
                #expect(abs(start.distance(to: end) - metres) < 1e-6 * max(metres, 1))
                #expect((-180...180).contains(end.longitude))
            }
        }
    }

    @Test("ING-01a: coordinates out of range are none")
    func ranges() {
        #expect(Coordinate(latitude: 90.000_1, longitude: 0) == nil)
        #expect(Coordinate(latitude: 0, longitude: -180.1) == nil)
        #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinate(latitude: -90, longitude: 180) != nil)
    }
}
