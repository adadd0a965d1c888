// The entry of a thread: loads the module with the work, then passes messages to it. In a clone that module is TypeScript,
// which tsx loads; in a package it is JavaScript.

const { extname } = require('node:path');
const { fileURLToPath } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');

async function load(module) {
  const path = fileURLToPath(module);
  return extname(path) === '.ts' ? loadTypeScript(path) : import(module);
}

/** With the loader for `require`, because the one for `import` runs on another thread, with 30 MB of its own. */
function loadTypeScript(path) {
  const { register } = require('tsx/cjs/api');
  const unregister = register();
  try {
    return require(path);
  } finally {
    unregister();
  }
}

async function run() {
  const { startWork } = await load(workerData.module);
  const work = startWork(workerData.shared);
  parentPort.on('message', (message) => {
    work(message);
    parentPort.postMessage(message);
  });
  parentPort.postMessage(undefined);
}

// What it rejects with ends the thread as its error.
void run();
