import Service

ServiceProcess.main(Track4RunService.self)
