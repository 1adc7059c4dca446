// Drops a ball: loads a scene, steps it to its end and prints the height of the ball's centre.
//   cc drop.c $(pkg-config --cflags --libs stiction) -o drop && ./drop drop.json
#include <stiction/stiction.h>

#include <stdio.h>

// The positions are the simulation's own: they follow every step. Only rank 0 of several has them.
static void print_height(StictionSimulation *simulation) {
  const double *position = stiction_simulation_positions(simulation);
  int count = stiction_simulation_vertex_count(simulation);
  double sum = 0;
  for (int i = 0; position && i < count; i++)
    sum += position[3 * i + 2];
  if (position)
    printf("%6.3f s  %8.5f m\n", stiction_simulation_time(simulation), sum / count);
}

static StictionStatus fall(StictionSimulation *simulation) {
  print_height(simulation);
  while (!stiction_simulation_finished(simulation)) {
    StictionStatus status = stiction_simulation_step(simulation);
    if (status != STICTION_OK)
      return status;
    if (stiction_simulation_on_frame(simulation))
      print_height(simulation);
  }
  return STICTION_OK;
}

static StictionStatus drop(Stiction *session, const char *path) {
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  StictionStatus status = stiction_scene_load(session, path, &scene);
  if (status == STICTION_OK)
    status = stiction_simulation_create(session, scene, &simulation);
  if (status == STICTION_OK)
    status = fall(simulation);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: drop SCENE.json\n");
    return 2;
  }
  Stiction *session = NULL;
  StictionStatus status = stiction_open(&session);
  if (status == STICTION_OK)
    status = drop(session, argv[1]);
  if (status != STICTION_OK)
    fprintf(stderr, "drop: %s\n", stiction_error(session));
  stiction_close(session);
  return status == STICTION_OK ? 0 : 1;
}
