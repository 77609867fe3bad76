// Services get the log, the metrics and the HTTP edge with this module.
@_exported public import Edge
@_exported public import Telemetry
