// Turns the record of the independent check into sentences that claim only what was checked.
// Tested by tests/output/test_summary.c.
#include "step/verdict.h"

#include "mesh/cage.h"
#include "model/body.h"
#include "model/contact_pairs.h"
#include "step/certificate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What the check has to compare in a scene.
typedef struct Scope {
  bool bodies, into_tets, obstacles, tets, crossed, all_pairs;
} Scope;

static void widen(const StDescription *description, int body, unsigned char partners,
                  Scope *scope) {
  bool others = partners & ST_PARTNER_BODIES;
  scope->bodies = scope->bodies || others;
  scope->obstacles = scope->obstacles || (partners & ST_PARTNER_OBSTACLES);
  scope->into_tets = scope->into_tets || (others && st_body_is_solid(&description->body[body]));
}

static Scope scope_of(const StDescription *description) {
  const StContactRule *rule = description->contact_rule;
  Scope scope = {0};
  for (int b = 0; rule && b < description->body_count; b++)
    widen(description, b, rule->partners[b], &scope);
  for (int i = 0; !rule && i < description->contact_count; i++) {
    const StContactDesc *contact = &description->contact[i];
    widen(description, contact->collider, st_contact_partner(contact), &scope);
    if (contact->body >= 0)
      widen(description, contact->body, st_contact_partner(contact), &scope);
  }
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    scope.tets = scope.tets || mesh->tet_count > 0;
    scope.crossed = scope.crossed || (mesh->cage && mesh->cage->crossed);
  }
  scope.all_pairs = st_pairs_are_all(description);
  return scope;
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

static const char *plural(long count) {
  return count == 1 ? "" : "s";
}

static void add_clean(const StDescription *description, long steps, char *text, size_t size) {
  Scope scope = scope_of(description);
  if (scope.bodies || scope.obstacles)
    add(text, size, "no edge passes through a triangle");
  else
    add(text, size, "no body passes through itself");
  if (scope.crossed)
    add(text, size, " (other than of surfaces in cages that crossed themselves from the start)");
  if (scope.obstacles)
    add(text, size, ", nothing reaches into an obstacle");
  if (scope.into_tets)
    add(text, size, ", no surface vertex is inside another body");
  if (scope.tets)
    add(text, size, ", no tet is inverted");
  if (steps > 0 && (scope.bodies || scope.obstacles))
    add(text, size, ", nothing passed through anything within a step");
}

static const struct {
  const char *one, *many;
} KINDS[ST_FOUND_KINDS] = {
    {"edge of one body through a triangle of another",
     "edges of one body through triangles of another"},
    {"edge of a body through a triangle of the same body",
     "edges of a body through triangles of the same body"},
    {"triangle or edge reaching into an obstacle", "triangles or edges reaching into an obstacle"},
    {"surface vertex inside another body or an obstacle",
     "surface vertices inside another body or an obstacle"},
    {"inverted tet", "inverted tets"},
    {"pair of triangles that passed through each other in a step",
     "pairs of triangles that passed through each other in a step"},
};

static void add_names(const StDescription *description, const StFindingRecord *finding, char *text,
                      size_t size) {
  add(text, size, "\"%s\"", description->body[finding->body].name);
  if (finding->obstacle >= 0)
    add(text, size, " and obstacle \"%s\"", description->obstacle[finding->obstacle].name);
  else if (finding->other >= 0 && finding->other != finding->body)
    add(text, size, " and \"%s\"", description->body[finding->other].name);
}

static void add_findings(const StDescription *description, const StJudgeRecord *judged, char *text,
                         size_t size) {
  const char *comma = "";
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    const StFindingRecord *finding = &judged->kind[k];
    if (finding->states == 0)
      continue;
    add(text, size, "%s%s%ld %s (", comma, finding->most > 1 ? "up to " : "", finding->most,
        finding->most > 1 ? KINDS[k].many : KINDS[k].one);
    add_names(description, finding, text, size);
    add(text, size, ", first at t = %.6g s)", finding->first_time);
    comma = ", ";
  }
}

// "the start and each of 240 steps"
static void add_states(const StDescription *description, const StJudgeRecord *judged, char *text,
                       size_t size) {
  long states = judged->starts + judged->steps;
  if (description->output.judge == ST_JUDGE_FRAMES)
    add(text, size, "%ld frame%s, but not in the steps between them", states, plural(states));
  else if (judged->starts == 1)
    add(text, size, "the start");
  else
    add(text, size, "%ld starts", judged->starts); // a program has changed the state
  if (description->output.judge == ST_JUDGE_STEPS && judged->steps > 0)
    add(text, size, " and after each of %ld step%s", judged->steps, plural(judged->steps));
}

static void add_judgement(const StDescription *description, const StJudgeRecord *judged, char *text,
                          size_t size) {
  long states = judged->starts + judged->steps;
  if (judged->found == 0) {
    add(text, size, "Checked at ");
    add_states(description, judged, text, size);
    add(text, size, ": ");
    add_clean(description, judged->steps, text, size);
  } else {
    add(text, size, "Found in %ld of %ld states (checked at ", judged->found, states);
    add_states(description, judged, text, size);
    add(text, size, "): ");
    add_findings(description, judged, text, size);
  }
  add(text, size, ".");
}

void st_verdict_words(const StDescription *description, const StJudgeRecord *judged,
                      const StContactRecord *contact, char *text, size_t size) {
  *text = 0;
  if (description->output.judge == ST_JUDGE_OFF)
    add(text, size, "Not checked: the scene turns the judge off (output.judge).");
  else
    add_judgement(description, judged, text, size);
  if (description->output.judge != ST_JUDGE_OFF && !scope_of(description).all_pairs)
    add(text, size, " Pairs without contact in the scene were not compared.");
  if (!contact)
    return;
  add(text, size, " ");
  size_t used = strlen(text);
  st_certificate_words(description, contact, text + used, size - used);
}

void st_verdict_pair(const StDescription *description, const StFindingRecord *finding, char *text,
                     size_t size) {
  *text = 0;
  add(text, size, "%s", description->body[finding->body].name);
  if (finding->obstacle >= 0)
    add(text, size, "|%s", description->obstacle[finding->obstacle].name);
  else if (finding->other >= 0)
    add(text, size, "|%s", description->body[finding->other].name);
}
