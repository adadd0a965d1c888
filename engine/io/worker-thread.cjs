// The first code of a thread: gets Node to load TypeScript, then hands what comes to the module that is to do the work.
// The loader for `require` is used because that for `import` runs on yet another thread, with 30 MB of its own.

const { parentPort, workerData } = require('node:worker_threads');
const { register } = require('tsx/cjs/api');

const unregister = register();
const { startWork } = require(workerData.modulePath);
unregister();
const work = startWork(workerData.shared);
parentPort.on('message', (message) => {
  work(message);
  parentPort.postMessage(message);
});
parentPort.postMessage(undefined);
