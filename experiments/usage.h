// How `stiction experiment` is called: what it prints for --help, and what the program stiction
// makes its man page and completion of.
#ifndef EXPERIMENTS_USAGE_H
#define EXPERIMENTS_USAGE_H

#define EXPERIMENT_USAGE                                                                           \
  "Usage: stiction experiment list [NAME]…\n"                                                    \
  "       stiction experiment NAME [--size small|paper] [--set key=value]… [--out DIR]\n"        \
  "                                [--only PATTERN] [--threads N] [--fresh] [--quiet]\n"           \
  "       stiction experiment report DIR… [--plots] [--out FILE]\n"                              \
  "       mpiexec -n N stiction experiment NAME …\n"                                             \
  "\n"                                                                                             \
  "`list` lists the experiments; with a name, or NAME --help, it shows what the paper found\n"     \
  "and the parameters. Running one writes summary.json, summary.md and SVG plots into its\n"       \
  "folder and prints the table. Each simulated case has its own folder with scene.json,\n"         \
  "frames and history, as from `stiction run`; finished cases are not run again, and an\n"         \
  "interrupted one continues. `report` makes one Markdown page of the summaries in several\n"      \
  "folders.\n"                                                                                     \
  "\n"                                                                                             \
  "Options:\n"                                                                                     \
  "  --size WORD        small (the default): about a minute; paper: as large as the paper's\n"     \
  "  --set KEY=VALUE    change a parameter, with its unit: --set duration='5 s'\n"                 \
  "  --out DIR          folder for results (default: experiments/NAME-SIZE); for report: the "     \
  "file\n"                                                                                         \
  "  --only PATTERN     run only cases whose names match a shell pattern; for the others the\n"    \
  "                     tables show existing results ('' runs none)\n"                             \
  "  --threads N        number of threads, also -j N (default: all processors)\n"                  \
  "  --fresh            run finished cases again\n"                                                \
  "  --plots            for report: include plots, with the paths as given\n"                      \
  "  --quiet            no progress\n"                                                             \
  "\n"                                                                                             \
  "Examples:\n"                                                                                    \
  "  stiction experiment list block-slide\n"                                                       \
  "  stiction experiment block-slide --only 'be-*' --set duration='30 s'\n"                        \
  "  stiction experiment report experiments/*-paper --out docs/results.md\n"

#endif
