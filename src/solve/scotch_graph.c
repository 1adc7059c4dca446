// Scotch's objects around a graph.
#include "solve/scotch_graph.h"

#include <pthread.h>

_Static_assert(sizeof(SCOTCH_Num) == sizeof(int), "Scotch with 32-bit indices is needed");

// A copy of the process's random numbers, which Scotch prepares when they are first asked for:
// threads take turns here. What works in the context afterwards does not touch them.
static bool take_random_numbers(SCOTCH_Context *context) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  bool good = SCOTCH_contextRandomClone(context) == 0;
  pthread_mutex_unlock(&turn);
  if (good)
    SCOTCH_contextRandomReset(context);
  return good;
}

bool st_scotch_graph_create(int count, const int *start, const int *neighbor, const int *weight,
                            StScotchGraph *graph) {
  SCOTCH_contextInit(&graph->context);
  SCOTCH_graphInit(&graph->plain);
  SCOTCH_graphInit(&graph->graph);
  SCOTCH_stratInit(&graph->strategy);
  return take_random_numbers(&graph->context) &&
         SCOTCH_contextOptionSetNum(&graph->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
         SCOTCH_contextThreadSpawn(&graph->context, 1, NULL) == 0 &&
         SCOTCH_graphBuild(&graph->plain, 0, count, start, NULL, weight, NULL, start[count],
                           neighbor, NULL) == 0 &&
         SCOTCH_contextBindGraph(&graph->context, &graph->plain, &graph->graph) == 0;
}

void st_scotch_graph_free(StScotchGraph *graph) {
  SCOTCH_stratExit(&graph->strategy);
  SCOTCH_graphExit(&graph->graph);
  SCOTCH_graphExit(&graph->plain);
  SCOTCH_contextExit(&graph->context);
}
