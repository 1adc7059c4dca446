// time, solver, output and accelerations: how long, how, what is written, and gravity.
#include "scene/parts.h"

#include "base/crew.h"
#include "base/memory.h"

#include <stdio.h>

#define POSITIVE .min = 0, .max = INFINITY, .min_open = true

static const StKey TIME_KEYS[] = {
    {.param = {.name = "duration",
               .dimension = ST_TIME,
               .fallback = 10,
               POSITIVE,
               .doc = "Simulated time of a run. Programs may continue beyond it."},
     .why = "long enough to see what happens; programs that choose their own steps need no end",
     .offset = offsetof(StTimeDesc, duration)},
    {.param = {.name = "step",
               .dimension = ST_TIME,
               .fallback = 0.01,
               POSITIVE,
               .doc = "Largest time step. Steps are shortened to end on frames, and where a solve "
                      "fails."},
     .why = "small enough for visible motion; implicit steps stay stable at any size",
     .offset = offsetof(StTimeDesc, step)},
    {.param = {.name = "frame_rate",
               .dimension = ST_RATE,
               .fallback = 50,
               POSITIVE,
               .doc = "Frames written per second of simulated time."},
     .why = "smooth to look at, and two default steps per frame",
     .offset = offsetof(StTimeDesc, frame_rate)},
    {.param = {.name = "smallest_step",
               .dimension = ST_TIME,
               .fallback = NAN,
               POSITIVE,
               .doc = "A step that cannot be solved is halved; below this size the run stops and "
                      "says why."},
     .otherwise = "step / 1024",
     .offset = offsetof(StTimeDesc, smallest_step)},
};

const StKeyTable st_keys_time = {
    .name = "time",
    .path = "time",
    .doc = "How long, in which steps, and how often a frame is written.",
    .key = TIME_KEYS,
    .key_count = ST_LENGTH(TIME_KEYS),
    .choice_key = -1,
};

static const char *const SOLVERS[] = {"auto", "direct", "iterative", NULL};
enum { EXACT, INEXACT };
static const char *const COUPLINGS[] = {"exact", "inexact", NULL};
static const char *const PRECONDITIONERS[] = {"auto", "ilu", "gamg", "none", NULL};

typedef struct Solver {
  StSolverDesc desc;
  int coupling;
} Solver;

static const StKey SOLVER_KEYS[] = {
    {.param = {.name = "type",
               .kind = ST_WORD,
               .word = SOLVERS,
               .doc = "direct: Newton with sparse LU; iterative: inexact Newton with GMRES; auto: "
                      "by size and by how it goes."},
     .why = "direct for small scenes, iterative for large ones",
     .offset = offsetof(Solver, desc.kind)},
    {.param = {.name = "preconditioner",
               .kind = ST_WORD,
               .word = PRECONDITIONERS,
               .doc = "For the iterative solver: block ILU(0), algebraic multigrid, none, or auto. "
                      "A more robust one takes over systems it cannot solve."},
     .offset = offsetof(Solver, desc.preconditioner)},
    {.param = {.name = "matrix_free",
               .kind = ST_BOOLEAN,
               .doc = "Iterative: multiply with the elastic stiffness by forward differentiation "
                      "instead of a stored matrix."},
     .offset = offsetof(Solver, desc.matrix_free)},
    {.param = {.name = "coupling",
               .kind = ST_WORD,
               .word = COUPLINGS,
               .doc = "The dense coupling of all vertices of a volume or a bearing, in direct "
                      "solves: exact includes it by a low-rank update; inexact leaves it out of "
                      "the first iterations, which are cheaper but more numerous."},
     .offset = offsetof(Solver, coupling)},
    {.param = {.name = "velocity_tolerance",
               .dimension = ST_SPEED,
               .fallback = NAN,
               POSITIVE,
               .doc =
                   "A step is solved when no vertex has a larger residual (over mass) than this …"},
     .otherwise =
         "1e-6 of the scene's own speed, at most 0.01 of a sticking speed (friction by velocity)",
     .offset = offsetof(Solver, desc.velocity_tolerance)},
    {.param = {.name = "change_tolerance",
               .dimension = ST_SPEED,
               .fallback = NAN,
               POSITIVE,
               .doc =
                   "… and another iteration would change no velocity by more than this, as far as "
                   "the last one tells."},
     .otherwise =
         "1e-5 of the scene's own speed, at most 0.01 of a sticking speed (friction by velocity)",
     .offset = offsetof(Solver, desc.change_tolerance)},
    {.param = {.name = "max_iterations",
               .kind = ST_INTEGER,
               .fallback = 50,
               .min = 1,
               .max = 100000,
               .doc = "Newton iterations before a step is abandoned and halved."},
     .offset = offsetof(Solver, desc.max_iterations)},
    {.param =
         {.name = "step_iterations",
          .kind = ST_INTEGER,
          .fallback = 1000,
          .min = 1,
          .max = 10000000,
          .doc =
              "Newton iterations of all attempts at one step, before the run stops with a reason."},
     .offset = offsetof(Solver, desc.step_iterations)},
    {.param = {.name = "max_linear_iterations",
               .kind = ST_INTEGER,
               .fallback = 1000,
               .min = 1,
               .max = 1000000,
               .doc = "Iterations of GMRES in one Newton iteration."},
     .offset = offsetof(Solver, desc.max_linear_iterations)},
    {.param = {.name = "threads",
               .kind = ST_INTEGER,
               .min = 0,
               .max = ST_CREW_MOST,
               .doc = "Threads that share the work of a process; results do not depend on it. 0: "
                      "all processors, or one under mpiexec. Command-line options and arguments in "
                      "C and Python take precedence."},
     .offset = offsetof(Solver, desc.threads)},
};

const StKeyTable st_keys_solver = {
    .name = "solver",
    .path = "solver",
    .doc = "How each step is solved and when it counts as solved.",
    .key = SOLVER_KEYS,
    .key_count = ST_LENGTH(SOLVER_KEYS),
    .choice_key = -1,
};

static const char *const JUDGE_MODES[] = {"step", "frame", "off", NULL};

static const char *const BODY_COLUMNS[] = {"auto", "all", "none", NULL};

static const char *const FRAME_FORMATS[] = {"auto", "vtu", "vtkhdf", NULL};

static const StKey OUTPUT_KEYS[] = {
    {.param = {.name = "stress",
               .kind = ST_BOOLEAN,
               .fallback = 1,
               .doc = "Write the Cauchy stress of every element into the frames."},
     .offset = offsetof(StOutputDesc, stress)},
    {.param = {.name = "forces",
               .kind = ST_BOOLEAN,
               .fallback = 1,
               .doc = "Write each kind of force on every vertex into the frames."},
     .offset = offsetof(StOutputDesc, forces)},
    {.param = {.name = "judge",
               .kind = ST_WORD,
               .word = JUDGE_MODES,
               .doc = "Which states the judge checks for edges through triangles, vertices inside "
                      "bodies and obstacles, and inverted tets: every step, frames only, or none."},
     .offset = offsetof(StOutputDesc, judge)},
    {.param = {.name = "bodies",
               .kind = ST_WORD,
               .word = BODY_COLUMNS,
               .doc = "Which bodies have their own columns in the history: centre, velocity, "
                      "kinetic and elastic energy. auto: all, of two up to 16 bodies."},
     .offset = offsetof(StOutputDesc, bodies)},
    {.param = {.name = "frames",
               .kind = ST_WORD,
               .word = FRAME_FORMATS,
               .doc = "Files of the frames: VTU is written by one process, VTKHDF by all of them "
                      "together. auto: VTU of one process, VTKHDF of several."},
     .offset = offsetof(StOutputDesc, frames)},
    {.param = {.name = "checkpoint_interval",
               .dimension = ST_TIME,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .doc = "Simulated time between checkpoints, from which a run can be resumed; 0: at "
                      "every frame."},
     .otherwise = "duration / 20",
     .offset = offsetof(StOutputDesc, checkpoint_interval)},
};

const StKeyTable st_keys_output = {
    .name = "output",
    .path = "output",
    .doc = "What is written besides positions and velocities.",
    .key = OUTPUT_KEYS,
    .key_count = ST_LENGTH(OUTPUT_KEYS),
    .choice_key = -1,
};

typedef struct Acceleration {
  const StJson *body;
  StAccelerationDesc desc;
} Acceleration;

static const StKey ACCELERATION_KEYS[] = {
    {.param = {.name = "value", .dimension = ST_ACCELERATION, .doc = "Acceleration in the world."},
     .kind = ST_KEY_VECTOR,
     .required = true,
     .offset = offsetof(Acceleration, desc.value)},
    {.param = {.name = "body", .doc = "The body it acts on."},
     .kind = ST_KEY_NAME,
     .otherwise = "all bodies",
     .offset = offsetof(Acceleration, body)},
    {.param =
         {.name = "start", .dimension = ST_TIME, .min = 0, .max = INFINITY, .doc = "Start time."},
     .offset = offsetof(Acceleration, desc.start)},
    {.param = {.name = "end",
               .dimension = ST_TIME,
               .fallback = INFINITY,
               POSITIVE,
               .doc = "When it ceases."},
     .otherwise = "never",
     .offset = offsetof(Acceleration, desc.end)},
};

const StKeyTable st_keys_acceleration = {
    .name = "acceleration",
    .path = "accelerations",
    .doc =
        "A uniform acceleration in addition to gravity, in a time window and for one body or all.",
    .key = ACCELERATION_KEYS,
    .key_count = ST_LENGTH(ACCELERATION_KEYS),
    .choice_key = -1,
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
  if (!at)
    return ST_OK;
  reader->description->acceleration = ST_NEW(StAccelerationDesc, at->child_count);
  ST_TRY_MEMORY(reader->description->acceleration, reader->error);
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_acceleration(reader, item));
  return ST_OK;
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

StStatus st_scene_read_time(StReader *reader, const StJson *at) {
  StTimeDesc *time = &reader->description->time;
  time->smallest_step = 0;
  ST_TRY(st_reader_object(reader, at, &st_keys_time, time));
  ST_TRY(choose_smallest_step(reader, at));
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
