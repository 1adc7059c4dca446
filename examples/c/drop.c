// Drops a ball: loads a scene, steps it to its end and prints the height of the ball's centre.
//   cc drop.c $(pkg-config --cflags --libs stiction) -o drop && ./drop drop.json
#include <stiction/stiction.h>

#include <stdio.h>
#include <stdlib.h>

static double mean_height(StictionSimulation *simulation, double *position) {
  int count = stiction_simulation_vertex_count(simulation);
  double sum = 0;
  if (stiction_simulation_positions(simulation, position) != STICTION_OK)
    return 0;
  for (int i = 0; i < count; i++)
    sum += position[3 * i + 2];
  return sum / count;
}

static StictionStatus drop(Stiction *session, const char *path) {
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  double *position = NULL;
  StictionStatus status = stiction_scene_load(session, path, &scene);
  if (status == STICTION_OK)
    status = stiction_simulation_create(session, scene, &simulation);
  if (status == STICTION_OK)
    position = malloc(3 * sizeof(double) * (size_t)stiction_simulation_vertex_count(simulation));
  while (status == STICTION_OK && position && !stiction_simulation_finished(simulation)) {
    if (stiction_simulation_on_frame(simulation))
      printf("%6.3f s  %8.5f m\n", stiction_simulation_time(simulation),
             mean_height(simulation, position));
    status = stiction_simulation_step(simulation);
  }
  if (status == STICTION_OK && position)
    printf("%6.3f s  %8.5f m\n", stiction_simulation_time(simulation),
           mean_height(simulation, position));
  free(position);
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
    fprintf(stderr, "drop: %s\n", session ? stiction_error(session) : "out of memory");
  stiction_close(session);
  return status == STICTION_OK ? 0 : 1;
}
