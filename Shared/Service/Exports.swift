// Whoever builds a service has its log and metrics, and the edge that people reach it through, at hand.
@_exported public import Edge
@_exported public import Telemetry
