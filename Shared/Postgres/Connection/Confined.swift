internal import Reactor

/// Carries an object that belongs to one event loop through code that asks for Sendable.
///
/// Sendable without the compiler's proof: the value is reached only through `value`, which insists on its loop.
struct Confined<Value>: @unchecked Sendable {
    private let wrapped: Value
    let loop: EventLoop

    init(_ value: Value, to loop: EventLoop) {
        wrapped = value
        self.loop = loop
    }

    var value: Value {
        loop.preconditionCurrent()
        return wrapped
    }
}
