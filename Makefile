# Thin: every target installs what it needs (scripts/setup) and calls CMake, CTest or a script.

# One job per core, whatever OpenMP is told (nproc would follow it), but no more than memory allows
# (a compiler takes up to 1 GB here).
JOBS ?= $(shell awk -v cores="$$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)" '/MemAvailable/ { jobs = int($$2 / 1048576) } \
          END { if (jobs < 1) jobs = 1; print jobs < cores ? jobs : cores }' /proc/meminfo)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SEED ?= 1
COUNT ?= 200
export OMPI_ALLOW_RUN_AS_ROOT = 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1

.DEFAULT_GOAL := help
.PHONY: help demo build test python-test bench results docs fuzz random contact-cases format clean \
        install package wheel
# Targets share the build folder.
.NOTPARALLEL:

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build/build.ninja ## build, run examples/swing.json into out/swing, show it in the browser
	@cmake --build build -j $(JOBS) --target stiction
	@build/stiction run examples/swing.json --out out/swing --overwrite
	@build/stiction view out/swing

build: build/build.ninja ## build everything into build/
	@cmake --build build -j $(JOBS)

install: build/build.ninja ## install under PREFIX (/usr/local): program, library, man pages, completion
	@cmake --build build -j $(JOBS) --target installed
	@cmake --install build --prefix $(PREFIX)

package: setup-package ## make a Debian package for machines of this architecture, in build-package/
	@cmake --preset release -B build-package -DSTICTION_NATIVE=OFF -DSTICTION_TESTS=OFF --log-level=WARNING
	@cmake --build build-package -j $(JOBS)
	@cd build-package && cpack

wheel: setup-build ## make a Python wheel for machines of this architecture, in dist/
	@STICTION_BUILD=$(CURDIR)/build-package CMAKE_ARGS='-DSTICTION_NATIVE=OFF -DSTICTION_TESTS=OFF -DCMAKE_BUILD_TYPE=Release' \
	  python3 -m pip wheel . --no-deps -w dist

# Configured anew: the test packages may have arrived since the last time.
test: setup-test ## build and run all tests
	@cmake --preset release --log-level=WARNING
	@cmake --build build -j $(JOBS)
	@ctest --test-dir build --output-on-failure -j $(JOBS)

python-test: setup-test ## build the library and run the tests of the Python package
	@cmake --preset release --log-level=WARNING
	@cmake --build build -j $(JOBS) --target stiction stiction_shared stiction-experiment
	@ctest --test-dir build -L python --output-on-failure -j $(JOBS)

bench: build ## print the benchmark tables
	@scripts/bench build

results: build ## run all experiments at the paper's size and write docs/results.md: takes days, can be interrupted
	@scripts/results build

docs: setup-docs ## render README and docs/ into build/site, for a browser (Node.js)
	@site/render build/site build/site-packages build/site-media

site: build docs-media docs ## the same with videos and a live viewer: runs the examples first

.PHONY: site docs-media
docs-media:
	@site/media build build/site-media

fuzz: setup-fuzz ## feed broken input to readers, server and C interface, FUZZ_SECONDS (60) each
	@scripts/fuzz $(FUZZ_SECONDS)

random: setup-test ## run and check COUNT (200) random scenes of a SEED (1): takes an hour
	@cmake --preset release --log-level=WARNING
	@cmake --build build -j $(JOBS) --target stiction
	@tests/campaigns/campaign random-scenes run --seed $(SEED) --count $(COUNT) --jobs $(JOBS)

contact-cases: setup-test ## run cases of contact with a known answer: takes an hour or two
	@cmake --preset release --log-level=WARNING
	@cmake --build build -j $(JOBS) --target stiction
	@tests/campaigns/campaign contact-cases run --jobs $(JOBS)

format: setup-format ## format the code
	@scripts/format

clean: ## remove build folders (results in out/ stay)
	@rm -rf build build-*

.PHONY: setup-build setup-test setup-fuzz setup-format setup-docs setup-package
setup-package:
	@scripts/setup build package
setup-build:
	@scripts/setup build
setup-test:
	@scripts/setup build test
setup-fuzz:
	@scripts/setup build fuzz
setup-format:
	@scripts/setup format
setup-docs:
	@scripts/setup docs

build/build.ninja: | setup-build
	@cmake --preset release --log-level=WARNING
