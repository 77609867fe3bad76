import Service

ServiceProcess.main(QueryService.self)
