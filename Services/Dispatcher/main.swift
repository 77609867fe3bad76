import Service

ServiceProcess.main(DispatcherService.self)
