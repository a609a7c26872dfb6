# taskfit: one non-recursive makefile. `make help` lists the targets.
#
#   VARIANT=release (default) | debug | asan | cov | fuzz   each with a build folder of its own
#   V=1                                          shows the commands
#   WERROR=1                                     warnings are errors (what `make check` uses)
#   T=tests/unit/base/units_test                 runs one test binary: make unit T=...

ifeq ($(origin CC),default)
CC = gcc
endif
VARIANT ?= release
BUILD ?= build
V ?= 0
ifeq ($(V),0)
say = @$(if $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),,echo '  $(1) $@';)
endif
PREFIX ?= /usr/local
OUT := $(BUILD)/$(VARIANT)-$(notdir $(CC))

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wwrite-strings \
  -Wpointer-arith -Wundef -Wformat=2 -Wvla -Wstrict-prototypes -Wold-style-definition -Wmissing-prototypes \
  -Wswitch-enum -Wdouble-promotion -Wfloat-equal -Wimplicit-fallthrough -Wnull-dereference
ifneq ($(findstring clang,$(CC)),)
WARN += -Wcomma -Wassign-enum -Wunreachable-code-aggressive -Wmissing-variable-declarations -Wconditional-uninitialized
else
WARN += -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wformat-signedness -Wformat-overflow=2 \
  -Wformat-truncation=1 -Wjump-misses-init -Wclobbered
endif
ifeq ($(WERROR),1)
WARN += -Werror
endif

SAN := -fsanitize=address,undefined -fsanitize=float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all
OPT_release := -O2 -g -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection
LINK_release := -pie -Wl,-z,relro,-z,now
OPT_debug := -O0 -g
OPT_cov := -O0 -g --coverage
LINK_cov := --coverage
OPT_asan := -O1 -g -fno-omit-frame-pointer $(SAN) -DTASKFIT_ARENA_PASSTHROUGH
LINK_asan := $(SAN)
OPT_fuzz := $(OPT_asan) -fsanitize=fuzzer-no-link
LINK_fuzz := $(SAN)

BASE_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -Iinclude -Isrc -I$(BUILD)/gen -MMD -MP
SRC_CFLAGS = $(BASE_CFLAGS) $(WARN) $(OPT_$(VARIANT)) -fPIC -fvisibility=hidden -include src/base/banned.h $(CFLAGS)
TEST_CFLAGS = $(BASE_CFLAGS) $(WARN) $(OPT_$(VARIANT)) -fPIE -Itests/support $(CFLAGS)
LIBS := -lglpk -lyaml -lcjson -lpcre2-8 -lm -pthread

SHARED := libtaskfit.so.$(firstword $(subst ., ,$(shell sed -n 's/^.define TASKFIT_VERSION "\(.*\)"/\1/p' include/taskfit/taskfit.h)))
LIB_SOURCES := $(sort $(filter-out src/cli/%,$(shell find src -name '*.c')))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(OUT)/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(OUT)/%.o)
SUPPORT_OBJECTS := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard tests/support/*.c)))
UNIT_TESTS := $(patsubst %.c,%,$(sort $(shell find tests/unit -name '*_test.c' 2>/dev/null)))
BENCH_PROGRAMS := vbp generate meter
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all bench program unit cli replay aws forms readme installed fuzz test check layers headers analyze cov install clean help

all: $(BUILD)/taskfit $(BUILD)/libtaskfit.a $(BUILD)/$(SHARED) $(BUILD)/vbp ## build the program and the library

$(BUILD)/taskfit: $(OUT)/taskfit
	@mkdir -p $(@D)
	cp $< $@

# What users link: one object whose hidden names are local, so that only taskfit/*.h is there to call. The archive in
# $(OUT), with every name, is for the program and the unit tests.
$(BUILD)/libtaskfit.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -r -nostdlib -o $(OUT)/libtaskfit.o $^
	objcopy --localize-hidden $(OUT)/libtaskfit.o
	@rm -f $@
	$(AR) rcsD $@ $(OUT)/libtaskfit.o

$(BUILD)/$(SHARED): $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -shared -Wl,-soname,$(SHARED) -Wl,-z,defs $(LINK_$(VARIANT):-pie=) $(LDFLAGS) -o $@ $^ $(LIBS)
	ln -sf $(SHARED) $(BUILD)/libtaskfit.so

program: $(OUT)/taskfit

$(OUT)/taskfit: $(CLI_OBJECTS) $(OUT)/libtaskfit.a
	$(call say,LD)$(CC) $(LINK_$(VARIANT)) $(LDFLAGS) -o $@ $(CLI_OBJECTS) $(OUT)/libtaskfit.a $(LIBS)

$(OUT)/libtaskfit.a: $(LIB_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcsD $@ $^

# The catalogue's rows as initializers, compiled into builtin.c.
$(BUILD)/gen/catalogue/types.inc: data/instances_us-east-1.csv src/catalogue/generate.awk
	@mkdir -p $(@D)
	$(call say,GEN)awk -f src/catalogue/generate.awk $< > $@
$(OUT)/src/catalogue/builtin.o: $(BUILD)/gen/catalogue/types.inc
$(BUILD)/gen/catalogue/prices.inc: data/prices_us-east-1.csv src/catalogue/prices.awk
	@mkdir -p $(@D)
	$(call say,GEN)awk -f src/catalogue/prices.awk $< > $@
$(OUT)/src/catalogue/prices.o: $(BUILD)/gen/catalogue/prices.inc

# A model as the bytes of an array: a string literal may not be that long.
$(BUILD)/gen/solve/%.inc: models/%.mod
	@mkdir -p $(@D)
	$(call say,GEN)od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@
$(OUT)/src/solve/mathprog_models.o: $(BUILD)/gen/solve/aggregated.inc

$(OUT)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(SRC_CFLAGS) -c -o $@ $<

$(OUT)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_CFLAGS) -c -o $@ $<

# ---- tests ----

$(OUT)/tests/unit/%: $(OUT)/tests/unit/%.o $(SUPPORT_OBJECTS) $(OUT)/libtaskfit.a
	$(call say,LD)$(CC) $(LINK_$(VARIANT)) $(LDFLAGS) -o $@ $< $(SUPPORT_OBJECTS) $(OUT)/libtaskfit.a $(LIBS) -lcmocka

T ?= $(UNIT_TESTS)
unit: $(T:%=$(OUT)/%) ## cmocka tests; T=tests/unit/base/units_test runs one
	@sh tests/support/unit.sh $^

UPDATE ?=
N ?=
cli: $(OUT)/taskfit $(BENCH_PROGRAMS:%=$(OUT)/%) ## golden tests of the program; N=help runs one, UPDATE=--update rewrites what they expect
	@sh tests/support/cli.sh $(OUT) $(UPDATE) $(N)

aws: $(OUT)/taskfit ## the AWS command line takes what render writes
	@sh tests/support/aws.sh $<

forms: $(OUT)/taskfit ## CloudFormation and Kubernetes take what render writes, as far as a list of their fields tells
	@sh tests/support/forms.sh $<

readme: $(OUT)/taskfit ## README's console blocks show what taskfit says; UPDATE=--update rewrites them
	@sh tests/support/readme.sh $(OUT) README.md $(UPDATE)

installed: all ## what `make install` installs can be used
	@sh tests/support/install.sh "$(MAKE)" "$(CC)"

# What `make test` runs, in order.
TESTS := layers unit replay cli aws forms readme installed
test: ## everything that tests; the last line counts
	@sh tests/support/all.sh "$(MAKE)" $(TESTS)

# ---- benchmarks ----

bench: $(BENCH_PROGRAMS:%=$(OUT)/%) $(OUT)/taskfit ## benchmarks against the baseline; BENCH_DIR=folder, PEERS=1, ONLY=regex (tests/bench/README.md)
	@PEERS='$(PEERS)' ONLY='$(ONLY)' LIMIT='$(LIMIT)' sh tests/bench/bench.sh $(OUT) $(BENCH_DIR)

$(BUILD)/vbp: $(OUT)/vbp
	@mkdir -p $(@D)
	cp $< $@
$(BENCH_PROGRAMS:%=$(OUT)/%): $(OUT)/%: $(OUT)/tests/bench/%.o $(OUT)/tests/bench/folio_draw.o $(OUT)/libtaskfit.a
	$(call say,LD)$(CC) $(LINK_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/folio $(BUILD)/moves $(BUILD)/certificates: $(BUILD)/%: $(OUT)/tests/bench/%
	@mkdir -p $(@D)
	cp $< $@
$(OUT)/tests/bench/%: $(OUT)/tests/bench/%.o $(OUT)/tests/bench/folio_draw.o $(OUT)/tests/support/problem_builder.o $(OUT)/libtaskfit.a
	$(call say,LD)$(CC) $(LINK_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LIBS)

# A fuzz target runs under libFuzzer in VARIANT=fuzz, else over the files of its corpus.
FUZZ_SUPPORT := $(OUT)/tests/fuzz/property.o $(if $(filter fuzz,$(VARIANT)),,$(OUT)/tests/fuzz/driver.o)
$(OUT)/tests/fuzz/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $(FUZZ_SUPPORT) $(OUT)/libtaskfit.a
	$(call say,LD)$(CC) $(LINK_$(VARIANT)) $(if $(filter fuzz,$(VARIANT)),-fsanitize=fuzzer) $(LDFLAGS) -o $@ $< $(FUZZ_SUPPORT) \
	  $(OUT)/libtaskfit.a $(LIBS)

replay: $(FUZZERS:%=$(OUT)/tests/fuzz/%) ## every fuzz target over its corpus
	@sh tests/support/replay.sh $^

# New inputs go to build/corpus, crashes to build/crash-*.
FUZZ ?= yaml
SECS ?= 60
fuzz: ## libFuzzer with sanitizers (clang): make fuzz FUZZ=yaml SECS=60
	@$(MAKE) --no-print-directory CC=clang VARIANT=fuzz $(BUILD)/fuzz-clang/tests/fuzz/fuzz_$(FUZZ)
	@mkdir -p $(BUILD)/corpus/$(FUZZ)
	$(BUILD)/fuzz-clang/tests/fuzz/fuzz_$(FUZZ) -max_total_time=$(SECS) -max_len=4096 -timeout=5 \
	  -artifact_prefix=$(BUILD)/ $(BUILD)/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

# ---- development ----

check: ## before a commit: warnings as errors, both compilers, sanitizers
	$(MAKE) -s layers headers
	for cc in gcc clang; do for variant in release asan; do \
	  $(MAKE) -s WERROR=1 CC=$$cc VARIANT=$$variant program unit replay cli || exit 1; done; done

layers: ## do the stages include only what they may
	@sh tests/support/layers.sh

headers: ## does every header compile alone
	@for h in $$(find include src -name '*.h' ! -name banned.h | sort); do \
	  $(CC) $(BASE_CFLAGS) -MF /dev/null $(WARN) -Werror -Wno-pedantic -fsyntax-only -x c $$h || exit 1; done

analyze: $(BUILD)/gen/catalogue/types.inc $(BUILD)/gen/catalogue/prices.inc $(BUILD)/gen/solve/aggregated.inc ## gcc -fanalyzer, clang-tidy and cppcheck; any finding fails
	@sh tests/support/analyze.sh $(filter-out -MMD -MP,$(BASE_CFLAGS))

cov: ## lines and branches that the tests reach, file by file
	@$(MAKE) -s VARIANT=cov unit cli
	@cd $(BUILD)/cov-$(notdir $(CC)) && gcov -b -r -s $(CURDIR) $$(find src -name '*.gcda') 2>/dev/null | tr -d "'" | \
	  awk -F '[ :%]+' '/^File/ { file = $$2 } /^Lines/ { lines = $$3 } /^Taken/ { branches = $$5 } \
	    /^Creating/ && file ~ /^src/ { printf "%-40s %6.1f %% of lines %6.1f %% of branches\n", file, lines, branches }' | sort

# ---- installing ----

$(BUILD)/taskfit.1: $(OUT)/taskfit
	@mkdir -p $(@D)
	$< help --man > $@

install: all $(BUILD)/taskfit.1 ## into PREFIX (/usr/local), under DESTDIR if given
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib include/taskfit share/man/man1 share/bash-completion/completions \
	  share/zsh/site-functions share/fish/vendor_completions.d)
	install -m 755 $(BUILD)/taskfit $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(BUILD)/libtaskfit.a $(BUILD)/$(SHARED) $(DESTDIR)$(PREFIX)/lib/
	ln -sf $(SHARED) $(DESTDIR)$(PREFIX)/lib/libtaskfit.so
	install -m 644 include/taskfit/*.h $(DESTDIR)$(PREFIX)/include/taskfit/
	install -m 644 $(BUILD)/taskfit.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	$(BUILD)/taskfit completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/taskfit
	$(BUILD)/taskfit completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_taskfit
	$(BUILD)/taskfit completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/taskfit.fish

clean: ## remove the build folder
	rm -rf $(BUILD)

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | sort | expand -t 16

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
