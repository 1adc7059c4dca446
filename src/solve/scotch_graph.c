// Scotch's objects around a graph.
#include "solve/scotch_graph.h"

_Static_assert(sizeof(SCOTCH_Num) == sizeof(int), "Scotch with 32-bit indices is needed");

bool st_scotch_graph_create(int count, const int *start, const int *neighbor, const int *weight,
                            StScotchGraph *graph) {
  SCOTCH_contextInit(&graph->context);
  SCOTCH_graphInit(&graph->plain);
  SCOTCH_graphInit(&graph->graph);
  SCOTCH_stratInit(&graph->strategy);
  if (SCOTCH_contextRandomClone(&graph->context) != 0)
    return false;
  SCOTCH_contextRandomReset(&graph->context);
  return SCOTCH_contextOptionSetNum(&graph->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
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
