import Testing

/// The days when processes are killed and machines are lost, with real processes. They mostly wait for what is to come back, so that
/// `deploy/test` runs a few at once, and nothing else beside them.
@Suite struct BadDays {}
