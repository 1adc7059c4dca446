// Listed pairs are looked up by bisection.
#include "scene/pair_plan.h"

#include "base/memory.h"

void st_pair_plan_free(StPairPlan *plan) {
  free(plan->self);
  free(plan->entry);
  free(plan->listed);
  *plan = (StPairPlan){0};
}

bool st_pair_plan_add(StPairPlan *plan, int collider, int surface, int entry) {
  bool swap = plan->single && surface < collider;
  if (!st_grow((void **)&plan->listed, &plan->listed_capacity, (size_t)plan->listed_count + 1,
               sizeof *plan->listed))
    return false;
  plan->listed[plan->listed_count] = (StListedPair){.collider = swap ? surface : collider,
                                                    .surface = swap ? collider : surface,
                                                    .entry = entry,
                                                    .order = plan->listed_count};
  plan->listed_count++;
  return true;
}

void st_pair_plan_add_all(StPairPlan *plan) {
  plan->of_all = plan->entry[plan->entry_count - 1];
  plan->all = !plan->of_all.apart;
  plan->listed_count = 0;
}

static int compare_pairs(const StListedPair *a, const StListedPair *b) {
  return a->collider != b->collider ? a->collider - b->collider : a->surface - b->surface;
}

static int compare(const void *a, const void *b) {
  const StListedPair *x = a, *y = b;
  int order = compare_pairs(x, y);
  return order ? order : x->order - y->order;
}

void st_pair_plan_sort(StPairPlan *plan) {
  int count = 0;
  if (plan->listed_count > 1)
    qsort(plan->listed, (size_t)plan->listed_count, sizeof *plan->listed, compare);
  for (int i = 0; i < plan->listed_count; i++) {
    bool same = count > 0 && compare_pairs(&plan->listed[count - 1], &plan->listed[i]) == 0;
    plan->listed[same ? count - 1 : count++] = plan->listed[i];
  }
  plan->listed_count = count;
}

static const StListedPair *find_listed(const StPairPlan *plan, int collider, int surface) {
  const StListedPair key = {.collider = collider, .surface = surface};
  int low = 0, high = plan->listed_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_pairs(&plan->listed[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < plan->listed_count && compare_pairs(&plan->listed[low], &key) == 0;
  return found ? &plan->listed[low] : NULL;
}

bool st_pair_plan_find(const StPairPlan *plan, int collider, int surface, StPairValues *values) {
  bool itself = collider == surface;
  if ((plan->single && surface < collider) || (itself && !plan->self[collider]))
    return false;
  const StListedPair *listed = plan->listed_count > 0 ? find_listed(plan, collider, surface) : NULL;
  *values = listed ? plan->entry[listed->entry] : plan->all ? plan->of_all : plan->rest;
  return !values->apart && (listed || plan->all || itself);
}

static unsigned char partner(const StPairPlan *plan, int body, int surface) {
  return surface == body              ? ST_PARTNER_ITSELF
         : surface < plan->body_count ? ST_PARTNER_BODIES
                                      : ST_PARTNER_OBSTACLES;
}

void st_pair_plan_partners(const StPairPlan *plan, unsigned char *partners) {
  for (int b = 0; b < plan->body_count; b++) {
    partners[b] = plan->self[b] ? ST_PARTNER_ITSELF : 0;
    if (plan->all && plan->body_count > 1)
      partners[b] |= ST_PARTNER_BODIES;
    if (plan->all && plan->surface_count > plan->body_count)
      partners[b] |= ST_PARTNER_OBSTACLES;
  }
  for (int i = 0; i < plan->listed_count; i++) {
    const StListedPair *pair = &plan->listed[i];
    StPairValues ignored;
    if (!st_pair_plan_find(plan, pair->collider, pair->surface, &ignored))
      continue;
    partners[pair->collider] |= partner(plan, pair->collider, pair->surface);
    if (pair->surface < plan->body_count)
      partners[pair->surface] |= partner(plan, pair->surface, pair->collider);
  }
}

int64_t st_pair_plan_count(const StPairPlan *plan) {
  int64_t bodies = plan->body_count, selves = 0, others = 0;
  StPairValues ignored;
  for (int b = 0; b < plan->body_count; b++)
    selves += st_pair_plan_find(plan, b, b, &ignored);
  if (plan->all)
    others = bodies * (bodies - 1) / 2 + bodies * (plan->surface_count - bodies);
  for (int i = 0; i < plan->listed_count; i++) {
    bool apart = plan->entry[plan->listed[i].entry].apart;
    if (plan->listed[i].collider != plan->listed[i].surface)
      others += plan->all ? -apart : !apart;
  }
  return selves + others;
}
