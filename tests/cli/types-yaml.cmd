taskfit types --family t2 --sort memory -o yaml | head -n 20
