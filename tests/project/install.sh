# Installs into a prefix of its own and builds a program against it, with pkg-config and with CMake.
. "$STICTION_SOURCE/tests/app/tools.sh"

library=$(ls "$STICTION_BUILD"/libstiction.so.*.*.*)
! nm -D "$library" | grep -q __asan_init || exit 77 # a program would need the sanitizer's library first

# `make install` builds what is installed and no tests.
ninja -C "$STICTION_BUILD" -t inputs installed >inputs.txt
says inputs.txt libstiction.so
lacks inputs.txt tests/
lacks inputs.txt test_

prefix=$PWD/prefix
cmake --install "$STICTION_BUILD" --prefix "$prefix" >install.txt
[ -x "$prefix/bin/stiction" ] || fail "no program"
"$prefix/bin/stiction" --version >/dev/null
[ -z "$(find "$prefix" -name '*.a')" ] || fail "internal libraries were installed"
found=$(find "$prefix" -name stiction.pc)
libdir=$(dirname "$(dirname "$found")")
[ -L "$libdir/libstiction.so" ] && [ -L "$libdir/libstiction.so.0.1" ] || fail "no versioned library"

# The library exports exactly its public names.
nm -D --defined-only "$library" | awk '$3 !~ /^_/ { print $3 }' | sort >exported.txt
grep -oh 'stiction_[a-z_]*(' "$STICTION_SOURCE"/include/stiction/{stiction,build,recording}.h | tr -d '(' |
  sort -u >public.txt
diff public.txt exported.txt || fail "exported names differ from the headers'"

# The results of a fall: z = 2 - g t^2/2, exact for the trapezoidal rule.
falls() {
  "$1" "$STICTION_SOURCE/examples/c/drop.json" >drop.txt
  awk '{ if (($3 - (2 - 9.81 * $1 * $1 / 2)) ^ 2 > 1e-9) exit 1; n++ } END { exit n != 6 }' drop.txt ||
    { cat drop.txt; fail "$1 fell wrongly"; }
}

export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
cc -std=c17 -Wall -Wextra -Werror "$STICTION_SOURCE/examples/c/drop.c" -o drop-pkg-config \
  $(pkg-config --cflags --libs stiction)
falls ./drop-pkg-config
unset PKG_CONFIG_PATH LD_LIBRARY_PATH

mkdir consumer
cp "$STICTION_SOURCE/examples/c/drop.c" consumer
cat >consumer/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(stiction 0.1 REQUIRED)
add_executable(drop drop.c)
target_link_libraries(drop PRIVATE stiction::stiction)
CMAKE
cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" >cmake.txt
cmake --build consumer/build >>cmake.txt
falls consumer/build/drop

# The experiments are such a program, and the installed one finds its library and is found.
cmake -S "$STICTION_SOURCE/experiments" -B experiments -DCMAKE_PREFIX_PATH="$prefix" >cmake-experiments.txt
cmake --build experiments -j 2 >>cmake-experiments.txt || { cat cmake-experiments.txt; fail "the experiments do not build"; }
for program in experiments/stiction-experiment "$prefix/bin/stiction experiment"; do
  $program volume-energy --out volumes >volumes.txt || fail "$program does not run"
  says volumes.txt "ideal gas (atm)"
  rm -r volumes
done
cp "$prefix/bin/stiction" alone
expect 3 env PATH=/nowhere ./alone experiment list
says stderr.txt "the program stiction-experiment is neither beside this one nor on the PATH"

# The headers alone are plain C, from the oldest standard with bool on, and plain C++.
for header in stiction report build recording plot; do
  for language in 'cc -std=c99 -x c' 'c++ -std=c++11 -x c++'; do
    echo "#include <stiction/$header.h>" | $language -pedantic -Wall -Wextra -Werror -I "$prefix/include" -fsyntax-only -
  done
done

# A C++ program, by CMake: exceptions, a class that owns the handles, a lambda as a callback, and a plot.
mkdir consumer++
cat >consumer++/fall.cpp <<'CPP'
#include <stiction/plot.h>
#include <stiction/stiction.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

static void check(StictionStatus status) {
  if (status != STICTION_OK)
    throw std::runtime_error(stiction_error(nullptr));
}

static const char text[] = R"({
  "materials": { "gum": { "young": "1 MPa", "poisson": 0.4, "density": 1000 } },
  "bodies": { "cube": { "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "edge": 0.1 } } },
  "boundaries": { "top": { "region": { "label": "z+" } } },
  "time": { "duration": 0.1, "step": "10 ms" } })";

int main() try {
  Stiction *opened = nullptr;
  check(stiction_open(&opened));
  std::unique_ptr<Stiction, void (*)(Stiction *)> session(opened, stiction_close);
  StictionScene *parsed = nullptr;
  check(stiction_scene_parse(session.get(), text, nullptr, &parsed));
  std::unique_ptr<StictionScene, void (*)(StictionScene *)> scene(parsed, stiction_scene_free);
  double speed = 0.5;
  check(stiction_scene_drive(scene.get(), "top", [](void *context, double time, StictionPose *pose) {
    double v = *static_cast<double *>(context);
    pose->translation[0] = v * time;
    pose->velocity[0] = v;
    return true;
  }, &speed));
  StictionSimulation *made = nullptr;
  check(stiction_simulation_create(session.get(), scene.get(), &made));
  std::unique_ptr<StictionSimulation, void (*)(StictionSimulation *)> simulation(made, stiction_simulation_free);
  std::vector<double> time, place;
  for (int i = 0; i < 10; i++) {
    check(stiction_simulation_advance(simulation.get(), 0.01));
    const StictionReport *report = stiction_simulation_report(simulation.get());
    time.push_back(report->time);
    place.push_back(report->centre_of_mass[0]);
  }
  StictionSeries series = {};
  series.name = "centre";
  series.count = int(time.size());
  series.x = time.data();
  series.y = place.data();
  StictionPlot plot = {};
  plot.size = sizeof plot;
  plot.title = "pulled";
  plot.series_count = 1;
  plot.series = &series;
  if (stiction_plot_write("pulled.png", &plot, 1, 1) != STICTION_OK)
    throw std::runtime_error(stiction_plot_error());
  std::cout << place.back() << std::endl;
  return place.back() > 0.01 && place.back() < 0.06 ? 0 : 1;
} catch (const std::exception &wrong) {
  std::cerr << wrong.what() << std::endl;
  return 2;
}
CPP
cat >consumer++/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(consumer CXX)
find_package(stiction 0.1 REQUIRED)
add_executable(fall fall.cpp)
target_link_libraries(fall PRIVATE stiction::stiction stiction::plot)
CMAKE
cmake -S consumer++ -B consumer++/build -DCMAKE_PREFIX_PATH="$prefix" >cmake++.txt
cmake --build consumer++/build >>cmake++.txt
consumer++/build/fall || fail "the C++ program failed"
[ -s pulled.png ] || fail "no plot"
c++ -std=c++17 -Wall -Wextra -Werror consumer++/fall.cpp -o fall-pkg-config \
  $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs stiction stiction-plot)
LD_LIBRARY_PATH=$libdir ./fall-pkg-config >/dev/null || fail "the C++ program failed with pkg-config"

# A Python program that has nothing but the installed library and ctypes.
cat >fall.py <<'PY'
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.stiction_version.restype = library.stiction_error.restype = ctypes.c_char_p
library.stiction_simulation_time.restype = ctypes.c_double
session, scene, simulation = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
def check(status):
    assert status == 0, library.stiction_error(None).decode()
check(library.stiction_open(ctypes.byref(session)))
check(library.stiction_scene_load(session, sys.argv[2].encode(), ctypes.byref(scene)))
check(library.stiction_simulation_create(session, scene, ctypes.byref(simulation)))
check(library.stiction_simulation_advance(simulation, ctypes.c_double(0.05)))
assert abs(library.stiction_simulation_time(simulation) - 0.05) < 1e-12
assert library.stiction_scene_load(session, b"nowhere.json", ctypes.byref(scene)) == 1
assert b"nowhere.json" in library.stiction_error(None)
library.stiction_close(session)
PY
/usr/bin/python3 fall.py "$libdir/libstiction.so" "$STICTION_SOURCE/examples/c/drop.json"

# A program that was compiled with a header of another version is refused, by the struct's name: here
# one in which a report is longer, as after an upgrade. Without the check it would read beyond arrays.
mkdir -p other/stiction
sed 's/^  long step;  .*/&\n  double new_number;/' "$prefix/include/stiction/report.h" >other/stiction/report.h
! cmp -s other/stiction/report.h "$prefix/include/stiction/report.h" || fail "the header was not changed"
cc -std=c17 -I other -I "$prefix/include" "$STICTION_SOURCE/examples/c/drop.c" -o drop-other -L "$libdir" -lstiction -Wl,-rpath,"$libdir"
expect 1 ./drop-other "$STICTION_SOURCE/examples/c/drop.json"
says stderr.txt "StictionReport has "
says stderr.txt "compile it again"

# The installed files run on any processor of this kind: the program and both libraries use no instruction
# beyond the oldest ones outside of the functions that were compiled for several.
if grep -q 'STICTION_HOT_CLONES:INTERNAL=1' "$STICTION_BUILD/CMakeCache.txt" &&
   ! grep -q 'STICTION_NATIVE:BOOL=ON' "$STICTION_BUILD/CMakeCache.txt"; then
  objdump -d --no-show-raw-insn "$libdir/libstiction.so.0.1" >code.txt
  awk '/^[0-9a-f]+ <.*>:$/ { name = $2 } name !~ /arch_x86_64_v[34]/ && /%[yz]mm|vfmadd/ { print name; bad = 1 }
       END { exit bad }' code.txt | sort -u >beyond.txt || { head beyond.txt; fail "instructions of newer processors"; }
  for level in v3 v4; do
    grep -q "<hot_tangent.arch_x86_64_$level>:" code.txt || fail "no functions for x86-64-$level"
  done
  # Batches of numbers are passed between functions in a way that depends on the processor: what is
  # compiled for a newer one must not call what takes or gives them and is not.
  awk '/^[0-9a-f]+ <.*>:$/ { name = $2 } name ~ /arch_x86_64_v[34]/ && /call .*<(s_[a-z0-9]+_lanes|lanes_[a-z]+|st_gather|mat3_[a-z]+_lanes|[a-z_]*_lanes)/ { print name, $NF; bad = 1 }
       END { exit bad }' code.txt || fail "batches are passed between functions for different processors"
fi

# A wrong scene comes back as a status with its text.
expect 1 env LD_LIBRARY_PATH="$libdir" ./drop-pkg-config nowhere.json
says stderr.txt "nowhere.json"
