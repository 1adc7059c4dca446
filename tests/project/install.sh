# Installs into a prefix of its own and builds a program against it, with pkg-config and with CMake.
. "$STICTION_SOURCE/tests/app/tools.sh"

library=$(ls "$STICTION_BUILD"/libstiction.so.*.*.*)
! nm -D "$library" | grep -q __asan_init || exit 77 # a program would need the sanitizer's library first

prefix=$PWD/prefix
cmake --install "$STICTION_BUILD" --prefix "$prefix" >install.txt
[ -x "$prefix/bin/stiction" ] || fail "no program"
"$prefix/bin/stiction" --version >/dev/null
[ -z "$(find "$prefix" -name '*.a')" ] || fail "internal libraries were installed"
found=$(find "$prefix" -name stiction.pc)
libdir=$(dirname "$(dirname "$found")")
[ -L "$libdir/libstiction.so" ] && [ -L "$libdir/libstiction.so.0.1" ] || fail "no versioned library"

# Nothing leaves the library but its public names, and all of those do.
nm -D --defined-only "$library" | awk '$3 !~ /^_/ { print $3 }' | sort >exported.txt
grep -o 'stiction_[a-z_]*(' "$STICTION_SOURCE/include/stiction/stiction.h" | tr -d '(' | sort -u >public.txt
diff public.txt exported.txt || fail "exported names differ from the header's"

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

# The header alone is plain C, from the oldest standard with bool on.
echo '#include <stiction/stiction.h>' | cc -std=c99 -pedantic -Wall -Wextra -Werror -I "$prefix/include" \
  -fsyntax-only -x c -

# A wrong scene comes back as a status with its text.
expect 1 env LD_LIBRARY_PATH="$libdir" ./drop-pkg-config nowhere.json
says stderr.txt "nowhere.json"
