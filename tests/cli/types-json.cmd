taskfit types --family r7g --arch arm64 --min-memory 500000 -ojson
