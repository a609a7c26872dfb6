taskfit help
