// Whoever builds a service has its log and metrics at hand.
@_exported public import Telemetry
