// Motion from outside: the callbacks of programs and the courses they set, as drivers of a
// description's motions.
#include "api/handles.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "model/body.h"
#include "solve/runtime.h"

#include <string.h>

static bool is_finite(const double *value, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(value[i]))
      return false;
  return true;
}

_Static_assert(sizeof(StictionPose) == 15 * sizeof(double), "a pose is an array of numbers");

static void take_pose(const StictionPose *pose, StRigidPose *out) {
  double turned[3];
  st_rotation_about(pose->rotation, out->rotation);
  mat3_apply(out->rotation, pose->pivot, turned);
  for (int c = 0; c < 3; c++) {
    out->pivot[c] = pose->pivot[c] + pose->translation[c];
    out->shift[c] = out->pivot[c] - turned[c];
    out->velocity[c] = pose->velocity[c];
    out->spin[c] = pose->spin[c];
  }
}

// The pose at the start of the last step remains when the program changes the motion: contact
// measures slip from it.
static bool ask_past(const StDrive *drive, double time, StRigidPose *pose) {
  bool known = drive->past.on > 0 && time < drive->past.start;
  if (known)
    st_course_pose(&drive->past, time, pose);
  return known;
}

static bool ask_pose(void *context, double time, StRigidPose *out) {
  const StDrive *drive = context;
  StictionPose pose = {0};
  if (ask_past(drive, time, out))
    return true;
  if (!drive->pose(drive->context, time, &pose) || !is_finite((const double *)&pose, 15))
    return false;
  take_pose(&pose, out);
  return true;
}

static bool ask_targets(void *context, double time, double *position, double *velocity) {
  const StDrive *drive = context;
  size_t bytes = 3 * (size_t)drive->vertex_count * sizeof(double);
  memcpy(position, drive->rest, bytes);
  memset(velocity, 0, bytes);
  if (drive->targets(drive->context, time, drive->vertex_count, position, velocity) &&
      is_finite(position, 3 * drive->vertex_count) && is_finite(velocity, 3 * drive->vertex_count))
    return true;
  memcpy(position, drive->rest, bytes);
  memset(velocity, 0, bytes);
  return false;
}

static bool ask_course(void *context, double time, StRigidPose *pose) {
  const StDrive *drive = context;
  if (!ask_past(drive, time, pose))
    st_course_pose(&drive->course, time, pose);
  return true;
}

// Lets whatever the drive has move the thing; nothing: as the scene says.
static void take_wheel(StDrive *drive, StMotion *motion) {
  drive->driver = (StDriver){.context = drive};
  if (drive->course.on > 0)
    drive->driver.pose = ask_course;
  else if (drive->targets)
    drive->driver.targets = ask_targets;
  else if (drive->pose)
    drive->driver.pose = ask_pose;
  bool any = drive->driver.pose || drive->driver.targets;
  motion->driver = any ? &drive->driver : NULL;
}

int st_drives_count(const StDrives *drives) {
  return drives->description->boundary_count + drives->description->obstacle_count;
}

static StMotion *motion_at(const StDrives *drives, int index) {
  int boundaries = drives->description->boundary_count;
  return index < boundaries ? &drives->description->boundary[index].motion
                            : &drives->description->obstacle[index - boundaries].motion;
}

static const char *name_at(const StDrives *drives, int index) {
  int boundaries = drives->description->boundary_count;
  return index < boundaries ? drives->description->boundary[index].name
                            : drives->description->obstacle[index - boundaries].name;
}

StStatus st_drives_create(StDescription *description, const StDrives *like, StDrives *drives,
                          StError *error) {
  *drives = (StDrives){.description = description};
  ST_TRY_MEMORY(drives->drive = ST_NEW(StDrive, st_drives_count(drives)), error);
  for (int i = 0; like && i < st_drives_count(drives); i++) {
    drives->drive[i] = like->drive[i];
    drives->drive[i].rest_is_own = false;
    take_wheel(&drives->drive[i], motion_at(drives, i));
  }
  return ST_OK;
}

void st_drives_free(StDrives *drives) {
  for (int i = 0; drives->drive && i < st_drives_count(drives); i++)
    if (drives->drive[i].rest_is_own)
      free(drives->drive[i].rest);
  free(drives->drive);
  *drives = (StDrives){0};
}

// Index of the drive of this name from `first` to `end`; -1: there is none.
static int find_between(const StDrives *drives, int first, int end, const char *name) {
  for (int i = first; i < end; i++)
    if (strcmp(name_at(drives, i), name) == 0)
      return i;
  return -1;
}

static int find_boundary(const StDrives *drives, const char *name) {
  return find_between(drives, 0, drives->description->boundary_count, name);
}

// A boundary and an obstacle may both have the name; at least one has, or the error says that none
// does.
typedef struct Driven {
  int count;
  StDrive *drive[2];
  StMotion *motion[2];
} Driven;

static StStatus find_driven(const StDrives *drives, const char *name, Driven *found,
                            StError *error) {
  int boundaries = drives->description->boundary_count;
  const int index[2] = {find_boundary(drives, name),
                        find_between(drives, boundaries, st_drives_count(drives), name)};
  *found = (Driven){0};
  for (int i = 0; i < 2; i++)
    if (index[i] >= 0) {
      found->drive[found->count] = &drives->drive[index[i]];
      found->motion[found->count++] = motion_at(drives, index[i]);
    }
  if (found->count > 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "the scene has no boundary and no obstacle named \"%s\" that could be driven",
                 name);
}

// A vertex that another boundary holds still cannot be moved.
static StStatus check_alone(const StDrives *drives, const char *name, StError *error) {
  const StBoundaryDesc *boundary = drives->description->boundary;
  int index = find_boundary(drives, name), other = index < 0 ? 0 : boundary[index].shares;
  if (other == 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "boundary \"%s\" cannot be driven: \"%s\" holds some of its vertices still", name,
                 boundary[other - 1].name);
}

static StStatus drive_object(const StDrives *drives, const char *name, StictionPoseAt pose,
                             void *context, bool *moved_before, StError *error) {
  Driven found;
  ST_TRY(find_driven(drives, name, &found, error));
  if (pose)
    ST_TRY(check_alone(drives, name, error));
  *moved_before = true;
  for (int i = 0; i < found.count; i++) {
    *moved_before = *moved_before && st_motion_moves(found.motion[i]);
    found.drive[i]->pose = pose;
    found.drive[i]->targets = NULL;
    found.drive[i]->context = context;
    found.drive[i]->course.on = 0;
    take_wheel(found.drive[i], found.motion[i]);
  }
  return ST_OK;
}

// *vertex: among all bodies' vertices, then among those of the body that is returned.
static const StBodyDesc *body_of(const StDescription *description, int *vertex) {
  const StBodyDesc *body = description->body;
  for (; *vertex >= body->mesh->vertex_count; body++)
    *vertex -= body->mesh->vertex_count;
  return body;
}

static const double *rest_of(const StDescription *description, int vertex) {
  const StBodyDesc *body = body_of(description, &vertex);
  return body->mesh->position + 3 * vertex;
}

static StStatus check_soft(const StDescription *description, const StBoundaryDesc *desc,
                           StError *error) {
  for (int i = 0; i < desc->vertex_count; i++) {
    int vertex = desc->vertex[i];
    const StBodyDesc *body = body_of(description, &vertex);
    if (st_body_has_surface(body))
      return st_fail(
          error, ST_BAD_INPUT,
          "boundary \"%s\" holds %s \"%s\", whose vertices do not move by themselves: drive it "
          "by a pose, not by its vertices",
          desc->name, body->rigid ? "the rigid body" : "the body in a cage", body->name);
  }
  return ST_OK;
}

static StStatus prepare_targets(StDrive *drive, const StDescription *description,
                                const StBoundaryDesc *desc, StError *error) {
  if (drive->rest)
    return ST_OK;
  double *rest = ST_NEW(double, 3 * (size_t)desc->vertex_count);
  ST_TRY_MEMORY(rest, error);
  for (int i = 0; i < desc->vertex_count; i++)
    vec3_copy(rest_of(description, desc->vertex[i]), rest + 3 * i);
  drive->rest = rest;
  drive->rest_is_own = true;
  drive->vertex_count = desc->vertex_count;
  return ST_OK;
}

static StStatus drive_vertices(const StDrives *drives, const char *name, StictionTargetsAt targets,
                               void *context, bool *moved_before, StError *error) {
  int index = find_boundary(drives, name);
  if (index < 0)
    return st_fail(error, ST_BAD_INPUT,
                   "the scene has no boundary named \"%s\" that could be driven", name);
  StDrive *own = &drives->drive[index];
  StBoundaryDesc *desc = &drives->description->boundary[index];
  ST_TRY(check_soft(drives->description, desc, error));
  if (targets)
    ST_TRY(check_alone(drives, name, error));
  ST_TRY(prepare_targets(own, drives->description, desc, error));
  *moved_before = st_motion_moves(&desc->motion);
  own->pose = NULL;
  own->targets = targets;
  own->context = context;
  own->course.on = 0;
  take_wheel(own, &desc->motion);
  return ST_OK;
}

StictionStatus stiction_scene_drive(StictionScene *scene, const char *name, StictionPoseAt pose,
                                    void *context) {
  ST_NEED(scene);
  ST_NEED(name);
  ST_ENTER(scene->session, ST_ALONE(scene));
  bool moved;
  return st_call_leave(drive_object(&scene->drives, name, pose, context, &moved, st_call_error()));
}

StictionStatus stiction_scene_drive_vertices(StictionScene *scene, const char *name,
                                             StictionTargetsAt targets, void *context) {
  ST_NEED(scene);
  ST_NEED(name);
  ST_ENTER(scene->session, ST_ALONE(scene));
  bool moved;
  return st_call_leave(
      drive_vertices(&scene->drives, name, targets, context, &moved, st_call_error()));
}

static bool has_targets(const StMotion *motion) {
  return motion->driver && motion->driver->targets;
}

// Straight back to where the last step began, turning evenly.
static void keep_past(const StictionSimulation *simulation, const StMotion *motion,
                      StDrive *drive) {
  const StReport *report = st_simulation_report(simulation->simulation);
  double time = st_simulation_time(simulation->simulation), step = report->step > 0 ? report->h : 0;
  StRigidPose now, before;
  double turn[9], way[3];
  drive->past.on = 0;
  if (!(step > 0) || has_targets(motion))
    return;
  st_motion_pose(motion, time - step, &before);
  st_motion_pose(motion, time, &now);
  drive->past = (StCourse){.on = 1, .start = time, .end = INFINITY};
  memcpy(drive->past.rotation, now.rotation, sizeof now.rotation);
  vec3_copy(now.shift, drive->past.shift);
  vec3_copy(now.shift, drive->past.pivot);
  for (int i = 0; i < 9; i++) // times the inverse of the earlier one
    turn[i] = vec3_dot(now.rotation + 3 * (i / 3), before.rotation + 3 * (i % 3));
  st_rotation_vector(turn, way);
  for (int c = 0; c < 3; c++) {
    drive->past.velocity[c] = (now.shift[c] - before.shift[c]) / step;
    drive->past.spin[c] = way[c] / step;
  }
}

// Functions of the program are not asked: what they need may be gone.
static void keep_courses(const StictionSimulation *simulation, const char *name) {
  StError none;
  Driven found;
  if (find_driven(&simulation->drives, name, &found, &none) != ST_OK)
    return; // which the one who asks is told
  for (int i = 0; i < found.count; i++)
    if (found.drive[i]->course.on > 0)
      keep_past(simulation, found.motion[i], found.drive[i]);
}

// Objects that never moved may have been built for standing still.
static void note_motion(StictionSimulation *simulation, bool moved_before) {
  simulation->pending.any = true;
  simulation->pending.rebuild = simulation->pending.rebuild || !moved_before;
}

StictionStatus stiction_simulation_drive(StictionSimulation *simulation, const char *name,
                                         StictionPoseAt pose, void *context) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  bool moved = true;
  keep_courses(simulation, name);
  StStatus status = drive_object(&simulation->drives, name, pose, context, &moved, st_call_error());
  note_motion(simulation, moved);
  return st_call_leave(status);
}

StictionStatus stiction_simulation_drive_vertices(StictionSimulation *simulation, const char *name,
                                                  StictionTargetsAt targets, void *context) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  bool moved = true;
  StStatus status =
      drive_vertices(&simulation->drives, name, targets, context, &moved, st_call_error());
  note_motion(simulation, moved);
  return st_call_leave(status);
}

// From where it is: the pose now, and where the pivot of another pose is in it.
static StCourse begin_course(const StMotion *motion, double time, const double pivot[3]) {
  StRigidPose now;
  StCourse course = {.on = 1, .start = time, .end = INFINITY};
  st_motion_pose(motion, time, &now);
  memcpy(course.rotation, now.rotation, sizeof course.rotation);
  vec3_copy(now.shift, course.shift);
  mat3_apply(now.rotation, pivot, course.pivot);
  vec3_add_scaled(1, now.shift, course.pivot);
  return course;
}

static void aim_course(const StictionPose *pose, double duration, StCourse *course) {
  double to[9], turn[9], way[3];
  st_rotation_about(pose->rotation, to);
  for (int i = 0; i < 9; i++) // times the inverse of the present one
    turn[i] = vec3_dot(to + 3 * (i / 3), course->rotation + 3 * (i % 3));
  st_rotation_vector(turn, way);
  course->end = course->start + duration;
  for (int c = 0; c < 3; c++) {
    course->velocity[c] = (pose->pivot[c] + pose->translation[c] - course->pivot[c]) / duration;
    course->spin[c] = way[c] / duration;
  }
}

// duration: s, to be at the pose; NAN: the pose's velocity and spin hold from now on.
static StStatus set_course(StictionSimulation *simulation, const char *name,
                           const StictionPose *pose, double duration, StError *error) {
  double time = st_simulation_time(simulation->simulation);
  Driven found;
  ST_TRY(find_driven(&simulation->drives, name, &found, error));
  ST_TRY(check_alone(&simulation->drives, name, error));
  if (!is_finite((const double *)pose, 15))
    return st_fail(error, ST_BAD_INPUT, "the pose for \"%s\" has a part that is not a number",
                   name);
  for (int i = 0; i < found.count; i++)
    if (has_targets(found.motion[i]))
      return st_fail(error, ST_BAD_INPUT,
                     "\"%s\" is driven vertex by vertex and has no pose to move on from", name);
  for (int i = 0; i < found.count; i++) {
    keep_past(simulation, found.motion[i], found.drive[i]);
    StCourse course = begin_course(found.motion[i], time, pose->pivot);
    if (isnan(duration)) {
      vec3_copy(pose->velocity, course.velocity);
      vec3_copy(pose->spin, course.spin);
    } else {
      aim_course(pose, duration, &course);
    }
    note_motion(simulation, st_motion_moves(found.motion[i]));
    found.drive[i]->course = course;
    take_wheel(found.drive[i], found.motion[i]);
  }
  return st_runtime_agree(st_description_check_drivers(simulation->own, error), error);
}

StictionStatus stiction_simulation_move(StictionSimulation *simulation, const char *name,
                                        const StictionPose *pose) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(pose);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(set_course(simulation, name, pose, NAN, st_call_error()));
}

StictionStatus stiction_simulation_move_to(StictionSimulation *simulation, const char *name,
                                           const StictionPose *pose, double duration) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(pose);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  StError *error = st_call_error();
  StStatus status =
      duration > 0 && isfinite(duration)
          ? set_course(simulation, name, pose, duration, error)
          : st_fail(error, ST_BAD_INPUT, "a move takes a time above 0 s, not %g s", duration);
  return st_call_leave(status);
}

static StStatus get_pose(const StictionSimulation *simulation, const char *name, StictionPose *pose,
                         StError *error) {
  Driven found;
  ST_TRY(find_driven(&simulation->drives, name, &found, error));
  const StMotion *motion = found.motion[0];
  if (has_targets(motion))
    return st_fail(error, ST_BAD_INPUT, "\"%s\" is driven vertex by vertex and has no pose", name);
  StRigidPose now;
  double arm[3], swing[3];
  st_motion_pose(motion, st_simulation_time(simulation->simulation), &now);
  *pose = (StictionPose){0};
  st_rotation_vector(now.rotation, pose->rotation);
  vec3_copy(now.shift, pose->translation);
  vec3_sub(now.shift, now.pivot, arm);
  vec3_cross(now.spin, arm, swing);
  for (int c = 0; c < 3; c++) {
    pose->velocity[c] = now.velocity[c] + swing[c];
    pose->spin[c] = now.spin[c];
  }
  return st_runtime_agree(st_description_check_drivers(simulation->own, error), error);
}

StictionStatus stiction_simulation_pose(StictionSimulation *simulation, const char *name,
                                        StictionPose *pose) {
  ST_NEED(simulation);
  ST_NEED(name);
  ST_NEED(pose);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(get_pose(simulation, name, pose, st_call_error()));
}

void st_drives_remember(const StDrives *drives, double *number) {
  for (int i = 0; i < st_drives_count(drives); i++)
    memcpy(number + ST_COURSE_NUMBERS * i, &drives->drive[i].course, sizeof(StCourse));
}

bool st_drives_recall(StDrives *drives, const double *number) {
  bool moved_before = true;
  for (int i = 0; i < st_drives_count(drives); i++) {
    StMotion *motion = motion_at(drives, i);
    StDrive *drive = &drives->drive[i];
    bool moved = st_motion_moves(motion);
    if (number)
      memcpy(&drive->course, number + ST_COURSE_NUMBERS * i, sizeof(StCourse));
    else
      drive->course = (StCourse){0};
    take_wheel(drive, motion);
    moved_before = moved_before && (moved || !st_motion_moves(motion));
  }
  return moved_before;
}

// The other's thing of the same kind and name, if it has a course; NULL: there is none.
static const StDrive *find_like(const StDrives *drives, int index, const StDrives *others) {
  bool bounds = index < drives->description->boundary_count;
  int boundaries = others->description->boundary_count;
  int found = find_between(others, bounds ? 0 : boundaries,
                           bounds ? boundaries : st_drives_count(others), name_at(drives, index));
  return found >= 0 && others->drive[found].course.on > 0 ? &others->drive[found] : NULL;
}

bool st_drives_hold(StDrives *drives, const StDrives *others, double time) {
  bool moved_before = true;
  for (int i = 0; i < st_drives_count(drives); i++) {
    StMotion *motion = motion_at(drives, i);
    bool vertices = motion->driver && motion->driver->targets; // such a motion has no pose
    if (vertices || !find_like(drives, i, others))
      continue;
    moved_before = moved_before && st_motion_moves(motion);
    drives->drive[i].course = begin_course(motion, time, (const double[3]){0});
    take_wheel(&drives->drive[i], motion);
  }
  return moved_before;
}

void st_drives_follow(StDrives *drives, const StDrives *others) {
  for (int i = 0; i < st_drives_count(drives); i++) {
    const StDrive *like = find_like(drives, i, others);
    if (like) {
      drives->drive[i].course = like->course;
      take_wheel(&drives->drive[i], motion_at(drives, i));
    }
  }
}
