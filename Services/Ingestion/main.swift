import Service

ServiceProcess.main(IngestionService.self)
