taskfit help >one
taskfit --help | cmp one
taskfit -h | cmp one
taskfit --version
