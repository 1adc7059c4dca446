// The pages of the site in the order of reading. A page is a file of the tree; its first heading is
// its title. `made`: written by a command, and so perhaps not there yet.
export const SECTIONS = [
  { title: 'Start', pages: [
    { path: 'README.md', label: 'Stiction' },
    { path: 'docs/quickstart.md', label: 'Five minutes' },
    { path: 'docs/tutorial.md', label: 'Tutorial' },
    { path: 'docs/robots.md', label: 'Grasps, from Python' },
    { path: 'docs/statics.md', label: 'Statics' },
    { path: 'docs/gallery.md', label: 'Gallery' },
    { path: 'docs/live.md', label: 'Live viewer' },
    { path: 'docs/coming-from.md', label: 'From other programs' },
  ] },
  { title: 'Use', pages: [
    { path: 'docs/running.md', label: 'Running' },
    { path: 'docs/scene.md', label: 'Scene reference' },
    { path: 'docs/meshes.md', label: 'Meshes' },
    { path: 'docs/viewer.md', label: 'Viewer' },
    { path: 'docs/exporting.md', label: 'Exports and plots' },
    { path: 'docs/python.md', label: 'Python' },
    { path: 'docs/c-interface.md', label: 'C interface' },
    { path: 'docs/gradients.md', label: 'Derivatives' },
    { path: 'docs/failures.md', label: 'When a run fails' },
    { path: 'docs/cluster.md', label: 'Many processes' },
  ] },
  { title: 'Theory', pages: [
    { path: 'docs/physics.md', label: 'What is computed' },
    { path: 'docs/notation.md', label: 'Notation' },
    { path: 'docs/verification.md', label: 'Verification' },
    { path: 'docs/experiments.md', label: 'Experiments' },
    { path: 'docs/results.md', label: 'Results', made: 'make results' },
  ] },
  { title: 'Inside', pages: [
    { path: 'docs/architecture.md', label: 'Architecture' },
    { path: 'docs/add-a-force.md', label: 'Add a force' },
    { path: 'docs/add-an-integrator.md', label: 'Add an integrator' },
    { path: 'docs/add-a-contact-law.md', label: 'Add a contact law' },
    { path: 'docs/notebook/README.md', label: 'Notebook' },
    { path: 'CONTRIBUTING.md', label: 'Contributing' },
    { path: 'CHANGELOG.md', label: 'Changes' },
  ] },
];

export const PAGES = SECTIONS.flatMap((section) => section.pages);
