// The folders of the sources that the program is made of. `.dockerignore` lets the same through; a test compares them.

export const PROGRAM_FOLDERS = [
  'client',
  'disk',
  'forward',
  'collect',
  'engine',
  'replication',
  'centre',
  'server',
  'simulator',
  'demo',
  'scripts',
];
