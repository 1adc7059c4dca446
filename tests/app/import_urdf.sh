# A robot becomes a scene: links, joints, limits, inertia; at rest against its stops it balances.
. "$STICTION_SOURCE/tests/app/tools.sh"

mkdir -p grey_arm/urdf grey_arm/meshes
expect 0 "$stiction" mesh make sphere --radius 0.02 --cells 3 --surface --out grey_arm/meshes/tip.stl
cat >grey_arm/urdf/arm.urdf <<'XML'
<?xml version="1.0"?>
<!-- Two links in a plane, a ball fixed to the second, and a rod that slides. -->
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <inertial><mass value="5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.15" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="0.016" ixy="0.0005" ixz="0" iyy="0.0155" iyz="0" izz="0.002"/></inertial>
    <collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.03" length="0.28"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0 0.1"/><mass value="1"/>
      <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.0005"/></inertial>
    <collision><origin xyz="0 0 0.1"/><geometry><box size="0.04 0.04 0.19"/></geometry></collision>
  </link>
  <link name="flange"/>
  <link name="tip">
    <inertial><mass value="0.5"/><inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial>
    <collision><geometry><mesh filename="package://grey_arm/meshes/tip.stl"/></geometry></collision>
  </link>
  <link name="rod">
    <inertial><mass value="0.2"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-5"/></inertial>
    <visual><geometry><box size="0.01 0.01 0.1"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.06" rpy="0 0.3 0"/><axis xyz="0 2 0"/>
    <limit lower="-1.2" upper="0.01" effort="50" velocity="2"/><dynamics damping="5"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 0.3" rpy="0 1.2 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="0.02"/><dynamics damping="1"/></joint>
  <joint name="bolt" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0 0 0.2"/></joint>
  <joint name="glue" type="fixed"><parent link="flange"/><child link="tip"/><origin xyz="0 0 0.025" rpy="1 0 0"/></joint>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="rod"/><origin xyz="0.6 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-0.01" upper="0.2" effort="1" velocity="1"/></joint>
</robot>
XML
arm=grey_arm/urdf/arm.urdf

expect 0 "$stiction" import $arm --out made/arm.json
says stderr.txt "base is held"
says stderr.txt "joint shoulder: limits of effort (50) and velocity (2)"
scene=made/arm.json
says $scene '"type": "cylinder", "radius": 0.03, "height": 0.28'
says $scene '"rotate": { "axis": [0, 1, 0], "angle": 0.3 }'
says $scene '"inertia": [0.01549'             # 0.0155: turned by a quarter
says $scene '"inertia_products": [-0.000'
says $scene '"mass": 1.5' # of the lower link and the ball
says $scene '"lower": -1.2, "upper": 0.01'
says $scene '"stiffness": 0, "damping": 5'
says $scene '"touch": false'
lacks $scene '"flange"'
expect 0 "$stiction" check $scene

# Under its weight the arm rests against its stops, and the rod at the end of its way. The shoulder bears
# the torque of all that hangs on it: masses times their distances from it, g = 9.81.
expect 0 "$stiction" run $scene --set "time.duration=0.6 s" --out run --quiet --strict
python3 - <<'PYTHON'
import csv, math
row = list(csv.DictReader(open("run/history.csv")))[-1]
travel = {name: float(row[f"travel({name}) [m or rad]"]) for name in ("shoulder stop", "elbow stop", "slide")}
for name, wanted in (("shoulder stop", 0.01), ("elbow stop", 0.02), ("slide", -0.01)):
    assert abs(travel[name] - wanted) < 1e-6, (name, travel[name])
a, b = 0.31, 1.53
elbow = 0.3 * math.sin(a)
torque = 9.81 * (2 * 0.15 * math.sin(a) + 1 * (elbow + 0.1 * math.sin(b)) + 0.5 * (elbow + 0.225 * math.sin(b)))
got = float(row["torque_y(shoulder stop) [N m]"])
assert abs(abs(got) - torque) < 1e-4 * torque, (got, torque)
PYTHON

# What cannot be read: the file, the line, and why.
bad() { # TEXT MESSAGE
  printf '%s' "$1" >bad.urdf
  expect 2 "$stiction" import bad.urdf
  says stderr.txt "$2"
}
bad '<robot><link name="a"/></robot>' "no link has a geometry"
bad '<robot><link name="a"><collision><geometry><box/></geometry></collision></link></robot>' "geometry: a box (size)"
bad '<scene/>' "no robot"
bad '<robot><link name="a">' "ends within <link>"
bad '<robot></link></robot>' "closes no open element"
bad '<robot>
<xacro:macro name="x"/></robot>' "bad.urdf:2: macros of xacro"
box='<collision><geometry><box size="1 1 1"/></geometry></collision>'
bad "<robot><link name=\"a\">$box</link><joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>" \
  'there is no parent link "b"'
bad "<robot><link name=\"a\">$box</link><link name=\"b\"/><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>" \
  "joints form a loop"
bad '<robot><link name="a"><collision><geometry><mesh filename="package://none/a.stl"/></geometry></collision></link></robot>' "a.stl"
bad '' "bad.urdf"
