import Service

ServiceProcess.main(AccountsService.self)
