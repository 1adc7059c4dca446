# Scenes and meshes that are not plain files, or too large: each is rejected at once with a message.
. "$STICTION_SOURCE/tests/app/tools.sh"

mkdir folder folder.obj
mkfifo pipe pipe.obj
ln -s /dev/zero zero.obj
truncate -s 300M large
truncate -s 10G large.obj # holes: no disk is used

# refused NAME TEXT: as a scene, as a mesh by itself and as a mesh of a scene
refused() {
  local command
  for command in check run; do
    expect 2 "$stiction" $command "$1"
    says stderr.txt "$1: is $2"
  done
}
refused folder "a folder, a file is needed"
refused pipe "a pipe, a file is needed"
refused /dev/zero "a device, a file is needed"
refused large "larger than 256 MB, the maximum"

refused_mesh() {
  expect 2 "$stiction" mesh inspect "$1"
  says stderr.txt "$1: is $2"
  cat >scene.json <<JSON
{
  "materials": { "rubber": { "young": "1 MPa", "poisson": 0.3 } },
  "bodies": { "sheet": { "mesh": "$1", "material": "rubber" } },
  "time": { "duration": 1 }
}
JSON
  expect 2 "$stiction" check scene.json
  says stderr.txt "$1: is $2"
}
refused_mesh folder.obj "a folder, a file is needed"
refused_mesh pipe.obj "a pipe, a file is needed"
refused_mesh zero.obj "a device, a file is needed"
refused_mesh large.obj "larger than 8192 MB, the maximum"

