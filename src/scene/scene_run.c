// time, solver, output and accelerations: how long, how, what is written, and gravity.
#include "scene/parts.h"

#include "base/crew.h"
#include "base/memory.h"

#include <stdio.h>

static const StKey TIME_KEYS[] = {
    ST_KEY(
        StTimeDesc, duration, SCALAR, "Simulated time of a run. Programs may continue beyond it.",
        .param.dimension = ST_TIME, .param.fallback = 10, ST_KEY_POSITIVE,
        .why = "long enough to see what happens; programs that choose their own steps need no end"),
    ST_KEY(StTimeDesc, step, SCALAR,
           "Largest time step. Steps are shortened to end on frames, and where a solve fails.",
           .param.dimension = ST_TIME, .param.fallback = 0.01, ST_KEY_POSITIVE,
           .why = "small enough for visible motion; implicit steps stay stable at any size"),
    ST_KEY(StTimeDesc, frame_rate, SCALAR, "Frames written per second of simulated time.",
           .param.dimension = ST_RATE, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise = "50, smooth to look at, or 1 / step where that is less"),
    ST_KEY(StTimeDesc, smallest_step, SCALAR,
           "A step that cannot be solved is halved; below this size the run stops and says why.",
           .param.dimension = ST_TIME, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise = "step / 1024"),
};

const StKeyTable st_keys_time = {
    .name = "time",
    .path = "time",
    .doc = "How long, in which steps, and how often a frame is written.",
    ST_KEYS(TIME_KEYS),
};

static const char *const SOLVERS[] = {"auto", "direct", "iterative", NULL};
enum { EXACT, INEXACT };
static const char *const COUPLINGS[] = {"exact", "inexact", NULL};
static const char *const PRECONDITIONERS[] = {"auto", "ilu", "gamg", "none", NULL};

typedef struct Solver {
  StSolverDesc desc;
  int coupling;
  bool matrix_free;
} Solver;

static const StKey SOLVER_KEYS[] = {
    ST_KEY_NAMED("type", Solver, desc.kind, SCALAR,
                 "direct: Newton with sparse LU; iterative: inexact Newton with GMRES; auto: by "
                 "size and by how it goes.",
                 .param.kind = ST_WORD, .param.word = SOLVERS,
                 .why = "direct for small scenes, iterative for large ones"),
    ST_KEY_NAMED("preconditioner", Solver, desc.preconditioner, SCALAR,
                 "For the iterative solver: block ILU(0), algebraic multigrid, none, or auto. A "
                 "more robust one takes over systems it cannot solve.",
                 .param.kind = ST_WORD, .param.word = PRECONDITIONERS),
    ST_KEY(Solver, matrix_free, SCALAR,
           "Has no effect; older scenes have it. Products with the stored matrix are faster and "
           "take no more memory.",
           .param.kind = ST_BOOLEAN),
    ST_KEY(Solver, coupling, SCALAR,
           "The dense coupling of all vertices of a volume or a bearing, in direct solves: exact "
           "includes it by a low-rank update; inexact leaves it out of the first iterations, which "
           "are cheaper but more numerous.",
           .param.kind = ST_WORD, .param.word = COUPLINGS),
    ST_KEY_NAMED("velocity_tolerance", Solver, desc.velocity_tolerance, SCALAR,
                 "A step is solved when no vertex has a larger residual (over mass) than this …",
                 .param.dimension = ST_SPEED, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "1e-6 of the scene's own speed, at most 0.01 of a sticking speed "
                              "(friction by velocity)"),
    ST_KEY_NAMED("change_tolerance", Solver, desc.change_tolerance, SCALAR,
                 "… and another iteration would change no velocity by more than this, as far as "
                 "the last one tells.",
                 .param.dimension = ST_SPEED, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "1e-5 of the scene's own speed, at most 0.01 of a sticking speed "
                              "(friction by velocity)"),
    ST_KEY_NAMED("max_iterations", Solver, desc.max_iterations, SCALAR,
                 "Newton iterations before a step is abandoned and halved.",
                 .param.kind = ST_INTEGER, .param.fallback = 50, ST_KEY_RANGE(1, 100000)),
    ST_KEY_NAMED(
        "step_iterations", Solver, desc.step_iterations, SCALAR,
        "Newton iterations of all attempts at one step, before the run stops with a reason.",
        .param.kind = ST_INTEGER, .param.fallback = 1000, ST_KEY_RANGE(1, 10000000)),
    ST_KEY_NAMED("max_linear_iterations", Solver, desc.max_linear_iterations, SCALAR,
                 "Iterations of GMRES in one Newton iteration.", .param.kind = ST_INTEGER,
                 .param.fallback = 1000, ST_KEY_RANGE(1, 1000000)),
    ST_KEY_NAMED(
        "threads", Solver, desc.threads, SCALAR,
        "Threads that share the work of a process; results do not depend on it. 0: all processors, "
        "or one under mpiexec. Command-line options and arguments in C and Python take precedence.",
        .param.kind = ST_INTEGER, ST_KEY_RANGE(0, ST_CREW_MOST)),
};

const StKeyTable st_keys_solver = {
    .name = "solver",
    .path = "solver",
    .doc = "How each step is solved and when it counts as solved.",
    ST_KEYS(SOLVER_KEYS),
};

static const char *const JUDGE_MODES[] = {"step", "frame", "off", NULL};

static const char *const BODY_COLUMNS[] = {"auto", "all", "none", NULL};

static const char *const FRAME_FORMATS[] = {"auto", "vtu", "vtkhdf", NULL};

static const StKey OUTPUT_KEYS[] = {
    ST_KEY(StOutputDesc, stress, SCALAR,
           "Write the Cauchy stress of every element into the frames.", .param.kind = ST_BOOLEAN,
           .param.fallback = 1),
    ST_KEY(StOutputDesc, forces, SCALAR,
           "Write each kind of force on every vertex into the frames.", .param.kind = ST_BOOLEAN,
           .param.fallback = 1),
    ST_KEY(StOutputDesc, judge, SCALAR,
           "Which states the judge checks for edges through triangles, vertices inside bodies and "
           "obstacles, and inverted tets: every step, frames only, or none.",
           .param.kind = ST_WORD, .param.word = JUDGE_MODES),
    ST_KEY(StOutputDesc, bodies, SCALAR,
           "Which bodies have their own columns in the history: centre, velocity, kinetic and "
           "elastic energy. auto: all, of two up to 16 bodies.",
           .param.kind = ST_WORD, .param.word = BODY_COLUMNS),
    ST_KEY(StOutputDesc, frames, SCALAR,
           "Files of the frames: VTU is written by one process, VTKHDF by all of them together. "
           "auto: VTU of one process, VTKHDF of several.",
           .param.kind = ST_WORD, .param.word = FRAME_FORMATS),
    ST_KEY(
        StOutputDesc, checkpoint_interval, SCALAR,
        "Simulated time between checkpoints, from which a run can be resumed; 0: at every frame.",
        .param.dimension = ST_TIME, .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY),
        .otherwise = "duration / 20"),
};

const StKeyTable st_keys_output = {
    .name = "output",
    .path = "output",
    .doc = "What is written besides positions and velocities.",
    ST_KEYS(OUTPUT_KEYS),
};

typedef struct Acceleration {
  const StJson *body;
  StAccelerationDesc desc;
} Acceleration;

static const StKey ACCELERATION_KEYS[] = {
    ST_KEY_NAMED("value", Acceleration, desc.value, VECTOR, "Acceleration in the world.",
                 .param.dimension = ST_ACCELERATION, .required = true),
    ST_KEY(Acceleration, body, NAME, "The body it acts on.", .otherwise = "all bodies"),
    ST_KEY_NAMED("start", Acceleration, desc.start, SCALAR, "Start time.",
                 .param.dimension = ST_TIME, ST_KEY_RANGE(0, INFINITY)),
    ST_KEY_NAMED("end", Acceleration, desc.end, SCALAR, "When it ceases.",
                 .param.dimension = ST_TIME, .param.fallback = INFINITY, ST_KEY_POSITIVE,
                 .otherwise = "never"),
};

const StKeyTable st_keys_acceleration = {
    .name = "acceleration",
    .path = "accelerations",
    .doc =
        "A uniform acceleration in addition to gravity, in a time window and for one body or all.",
    ST_KEYS(ACCELERATION_KEYS),
};

static StStatus read_acceleration(StReader *reader, const StJson *at) {
  Acceleration given = {.desc.body = -1};
  ST_TRY(st_reader_object(reader, at, &st_keys_acceleration, &given));
  if (given.body)
    ST_TRY(st_scene_find_body(reader, given.body, &given.desc.body));
  if (!(given.desc.end > given.desc.start))
    return st_reader_fail(reader, st_json_get(at, "end"),
                          "must be later than the start (%g s), is %g s", given.desc.start,
                          given.desc.end);
  reader->description->acceleration[reader->description->acceleration_count++] = given.desc;
  return ST_OK;
}

StStatus st_scene_read_accelerations(StReader *reader, const StJson *at) {
  return st_scene_read_each(reader, at, (void **)&reader->description->acceleration,
                            sizeof(StAccelerationDesc), read_acceleration);
}

// A default derived from another value of the scene.
static StStatus note_time(StReader *reader, const char *key, double value, const char *reason) {
  char text[40];
  snprintf(text, sizeof text, "%.4g s", value);
  return st_description_add_note(reader->description, key, text, reason, reader->error);
}

static StStatus choose_smallest_step(StReader *reader, const StJson *at) {
  StTimeDesc *time = &reader->description->time;
  if (time->smallest_step > time->step)
    return st_reader_fail(reader, st_json_get(at, "smallest_step"),
                          "must be at most the step (%g s), is %g s", time->step,
                          time->smallest_step);
  if (time->smallest_step > 0)
    return ST_OK;
  time->smallest_step = time->step / 1024;
  if (time->smallest_step == 0)
    return st_reader_fail(reader, st_json_get(at, "step"), "is too small to be halved");
  return note_time(reader, "time.smallest_step", time->smallest_step,
                   "ten halvings of the step; a step that fails below has another cause");
}

// Every frame ends a step: frames closer than the step that was asked for would shorten it.
static StStatus choose_frame_rate(StReader *reader) {
  static const double SMOOTH = 50;
  StTimeDesc *time = &reader->description->time;
  if (time->frame_rate > 0)
    return ST_OK;
  time->frame_rate = fmin(SMOOTH, 1 / time->step);
  char text[40];
  snprintf(text, sizeof text, "%.4g 1/s", time->frame_rate);
  return st_description_add_note(reader->description, "time.frame_rate", text,
                                 time->frame_rate < SMOOTH ? "a frame at the end of each step"
                                                           : "smooth to look at",
                                 reader->error);
}

// More steps than this are rarely intended: usually a unit is missing, or milliseconds were taken
// for seconds.
static void warn_of_many(const StReader *reader, const StTimeDesc *time) {
  static const double MANY_STEPS = 1e6, MANY_FRAMES = 1e5;
  double steps = time->duration / fmin(time->step, 1 / time->frame_rate);
  double frames = time->duration * time->frame_rate;
  if (steps > MANY_STEPS)
    st_log(reader->log, ST_WARNING,
           "%s: time: %g s in steps of %g s are %.2g steps; is a unit missing? (bare numbers are "
           "seconds)",
           reader->name, time->duration, time->step, steps);
  if (frames > MANY_FRAMES)
    st_log(reader->log, ST_WARNING, "%s: time: %g s at %g frames a second are %.2g frames",
           reader->name, time->duration, time->frame_rate, frames);
}

// The path of loads takes a second where nothing is said, so that the load parameter is the time.
// The step of `time` is that of dynamics.
static StStatus choose_load_steps(StReader *reader, const StJson *at, int load_steps) {
  static const int USUAL = 10;
  StTimeDesc *time = &reader->description->time;
  bool statics = reader->description->statics;
  if ((statics || load_steps > 0) && !(at && st_json_get(at, "duration"))) {
    time->duration = 1;
    ST_TRY(note_time(reader, "time.duration", 1, "the load parameter is the time"));
  }
  if (!statics)
    return ST_OK;
  time->step = time->duration / (load_steps > 0 ? load_steps : USUAL);
  return note_time(reader, "time.step", time->step, "a load step");
}

StStatus st_scene_read_time(StReader *reader, const StJson *at, int load_steps) {
  StTimeDesc *time = &reader->description->time;
  time->smallest_step = time->frame_rate = 0;
  ST_TRY(st_reader_object(reader, at, &st_keys_time, time));
  ST_TRY(choose_load_steps(reader, at, load_steps));
  ST_TRY(choose_smallest_step(reader, at));
  ST_TRY(choose_frame_rate(reader));
  if (time->duration * time->frame_rate > 1e8 || time->duration / time->step > 1e12)
    return st_reader_fail(reader, at, "would take %g frames and %g steps; at most 1e8 and 1e12",
                          time->duration * time->frame_rate, time->duration / time->step);
  if (time->step * time->frame_rate > 1 + 1e-9)
    st_log(reader->log, ST_WARNING,
           "%s: time.step is %g s, but every frame ends a step: steps will be %g s at most "
           "(time.frame_rate is %g 1/s)",
           reader->name, time->step, 1 / time->frame_rate, time->frame_rate);
  warn_of_many(reader, time);
  return ST_OK;
}

StStatus st_scene_read_solver(StReader *reader, const StJson *at) {
  Solver given = {.desc = reader->description->solver};
  given.desc.velocity_tolerance = given.desc.change_tolerance = 0;
  ST_TRY(st_reader_object(reader, at, &st_keys_solver, &given));
  given.desc.inexact_coupling = given.coupling == INEXACT;
  if (given.matrix_free)
    st_reader_warn(reader, st_json_get(at, "matrix_free"), "has no effect any more");
  reader->description->solver = given.desc;
  return ST_OK;
}

StStatus st_scene_read_output(StReader *reader, const StJson *at) {
  StOutputDesc *output = &reader->description->output;
  output->checkpoint_interval = reader->description->time.duration / 20;
  ST_TRY(st_reader_object(reader, at, &st_keys_output, output));
  if (at && st_json_get(at, "checkpoint_interval"))
    return ST_OK;
  return note_time(reader, "output.checkpoint_interval", output->checkpoint_interval,
                   "a killed run loses at most a twentieth");
}
