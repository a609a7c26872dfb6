taskfit version
