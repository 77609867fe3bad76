import Testing

@testable import LoadGenerator

@Suite("Course of a soak")
struct SoakCourseTests {
    private func course(_ megabytes: (Int) -> Double, _ p99: (Int) -> Double) -> SoakCourse {
        SoakCourse((0..<12).map { .init(megabytes: megabytes($0), p99Milliseconds: p99($0)) })
    }

    @Test("what grows all the time shows, also when it is little each time")
    func growth() {
        let growing = course({ 100 + 3 * Double($0) }, { 5 + 5 * Double($0) })
        #expect(growing.memoryAtEnd / growing.memoryAfterFirstThird > 1.15)
        #expect(growing.p99OfLastThird / growing.p99OfFirstThird > 3)
    }

    @Test("warming up is no growth, nor are single pieces in which the host was busy")
    func noise() {
        let calm = course({ $0 < 4 ? 60 + 10 * Double($0) : 100 }, { [1, 9].contains($0) ? 900 : 5 })
        #expect(calm.memoryAtEnd == calm.memoryAfterFirstThird)
        #expect(calm.p99OfLastThird == calm.p99OfFirstThird)
    }
}
