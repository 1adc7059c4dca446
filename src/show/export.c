// Chooses frames and paths, and calls the format's writer.
#include "show/export_job.h"

#include "base/file.h"
#include "base/memory.h"
#include "output/run_folder.h"

#include <string.h>

const StExportFormat *const st_export_formats[] = {&st_export_glb,
                                                   &st_export_gltf,
                                                   &st_export_usda,
                                                   &st_export_vtu,
                                                   &st_export_vtm,
                                                   &st_export_vtkhdf,
                                                   &st_export_obj,
                                                   &st_export_ply,
                                                   &st_export_pc2,
                                                   &st_export_mdd,
                                                   NULL};

// Default limit on frames of animations: players keep all frames in memory, and graphics cards
// manage a few hundred shapes.
enum { MOST_FRAMES = 256 };
static const double most_bytes = 256e6, bytes_per_vertex = 12;

const StExportFormat *st_export_find(const char *name) {
  for (int i = 0; st_export_formats[i]; i++)
    if (strcmp(st_export_formats[i]->name, name) == 0)
      return st_export_formats[i];
  return NULL;
}

static StStatus fail_span(const StRecording *recording, StError *error) {
  if (recording->frame_count == 0)
    return st_fail(error, ST_BAD_INPUT,
                   "%s: holds no frames yet; the first is written when the run begins",
                   recording->folder);
  return st_fail(error, ST_BAD_INPUT,
                 "%s: no frame lies in the span of --from and --until; there are %d, from %g s to "
                 "%g s",
                 recording->folder, recording->frame_count, recording->frame_time[0],
                 recording->frame_time[recording->frame_count - 1]);
}

// Take every n-th of so many frames, to keep an animation manageable.
static int thinning(const StExportJob *job, int count) {
  double vertices = job->skin.vertex_count > 0 ? job->skin.vertex_count : 1;
  double most = most_bytes / (bytes_per_vertex * vertices);
  if (most > MOST_FRAMES)
    most = MOST_FRAMES;
  if (job->settings->every > 0)
    return job->settings->every;
  return !job->settings->format->animation || count <= most ? 1 : (int)(count / most) + 1;
}

static StStatus choose_frames(StExportJob *job, int *every, StError *error) {
  const StRecording *recording = job->recording;
  const double slack = 1e-9; // times are sums of steps
  int first = -1, last = -1;
  for (int f = 0; f < recording->frame_count; f++) {
    double time = recording->frame_time[f];
    if (time < job->settings->from - slack || time > job->settings->until + slack)
      continue;
    first = first < 0 ? f : first;
    last = f;
  }
  if (first < 0)
    return fail_span(recording, error);
  *every = thinning(job, last - first + 1);
  if (*every > 1 && job->settings->every == 0)
    st_log(job->settings->log, ST_INFO,
           "%d frames of this size are too many for players: exporting one in %d; --every, or "
           "--from and --until, override this",
           last - first + 1, *every);
  job->frame = ST_NEW(int, (last - first) / *every + 1);
  for (int f = first; job->frame && f <= last; f += *every)
    job->frame[job->frame_count++] = f;
  return job->frame ? ST_OK : st_fail_memory(error);
}

static StStatus choose_part(StExportJob *job, StError *error) {
  const StExportFormat *format = job->settings->format;
  if (job->settings->part == ST_EXPORT_VOLUME && !format->volume)
    return st_fail(error, ST_BAD_INPUT,
                   "%s holds surfaces only; volumes can be exported to vtu, vtm and vtkhdf",
                   format->name);
  if (job->settings->field_count > 0 && !format->fields)
    return st_fail(error, ST_BAD_INPUT,
                   "%s holds no fields; they can be exported to vtu, vtm, vtkhdf and ply",
                   format->name);
  job->volume = format->volume && job->settings->part != ST_EXPORT_SURFACE;
  return ST_OK;
}

static bool has_ending(const char *path, const char *ending) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  return dot && dot > slash && strcmp(dot + 1, ending) == 0;
}

static char *default_path(const StExportJob *job) {
  const StExportFormat *format = job->settings->format;
  StText path = {0};
  st_text_add(&path, "%s/export/", job->recording->folder);
  if (format->folder)
    st_text_add(&path, "%s", format->name);
  else
    st_text_add(&path, "%s.%s", job->name, format->name);
  return st_text_take(&path);
}

// Refuses to overwrite the frames of a run.
static StStatus check_folder(const char *path, StError *error) {
  ST_FREE char *facts = st_run_folder_file(path, "run.json");
  bool run = facts && st_file_exists(facts);
  return run ? st_fail(error, ST_BAD_INPUT,
                       "%s: is the folder of a run; choose another folder with --out", path)
             : ST_OK;
}

static StStatus choose_path(StExportJob *job, StError *error) {
  const StExportFormat *format = job->settings->format;
  const char *out = job->settings->out;
  if (out && !format->folder && !has_ending(out, format->name))
    return st_fail(error, ST_BAD_INPUT, "%s: must end in .%s for an export to %s", out,
                   format->name, format->name);
  ST_TRY_MEMORY(job->path = out ? st_copy_string(out) : default_path(job), error);
  ST_TRY(format->folder ? check_folder(job->path, error) : ST_OK);
  return format->folder ? st_folder_create(job->path, error)
                        : st_folder_create_above(job->path, error);
}

static StStatus settle(StExportJob *job, int *every, StError *error) {
  ST_TRY(choose_part(job, error));
  ST_TRY(st_skin_create(job->recording->description, &job->skin, error));
  ST_TRY(choose_frames(job, every, error));
  ST_TRY_MEMORY(job->name = st_copy_string(job->recording->name_of_run), error);
  return choose_path(job, error);
}

static void job_free(StExportJob *job) {
  st_skin_free(&job->skin);
  free(job->frame);
  free(job->name);
  free(job->path);
  free(job->opening);
}

StStatus st_export(const StRecording *recording, const StExportSettings *settings,
                   StExported *exported, StError *error) {
  ST_FINALLY(job_free) StExportJob job = {.recording = recording, .settings = settings};
  *exported = (StExported){0};
  ST_TRY(settle(&job, &exported->every, error));
  ST_TRY(settings->format->write(&job, error));
  exported->frame_count = job.frame_count;
  exported->path = job.opening ? job.opening : job.path;
  *(job.opening ? &job.opening : &job.path) = NULL;
  return ST_OK;
}
