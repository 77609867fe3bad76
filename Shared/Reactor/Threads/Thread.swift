import CLinux
import Glibc

/// A joinable thread with a stack of 1 MiB.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(IOError) -> pthread_t {
    final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 1 << 20)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Box(name, body)).toOpaque()
    let code = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
            _ = tm_set_thread_name(box.name)
            box.body()
            return nil
        }, argument)
    guard code == 0 else {
        Unmanaged<Box>.fromOpaque(argument).release()
        throw .system(operation: "pthread_create", errno: code)
    }
    return thread
}
