// The first code of a thread: loads the module that is to do the work, then hands it what comes. A clone has that module
// in TypeScript, which tsx loads; a package in JavaScript.

const { extname } = require('node:path');
const { fileURLToPath } = require('node:url');
const { parentPort, workerData } = require('node:worker_threads');

async function load(module) {
  const path = fileURLToPath(module);
  return extname(path) === '.ts' ? loadTypeScript(path) : import(module);
}

/** By the loader for `require`, because that for `import` runs on yet another thread, with 30 MB of its own. */
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
run();
