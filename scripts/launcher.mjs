// Ends a server, or a run of the tests, that npm has started when npm is ended. npm runs scripts through a shell and
// passes signals to that one only; a shell that keeps the script as its child (dash does) dies of them and leaves the
// script behind.

const CHECK_INTERVAL_MS = 250;
const NPM_SCRIPTS = ['start', 'test'];
const SIGNALS = ['SIGTERM', 'SIGINT'];

/**
 * From now on, under `npm start` and `npm test`: the launching shell's end counts as SIGTERM, unless a signal has come to us
 * as well.
 */
export function endWithLauncher() {
  if (process.env.npm_package_name !== 'varve' || !NPM_SCRIPTS.includes(process.env.npm_lifecycle_event)) return;
  const launcher = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_INTERVAL_MS);
  timer.unref();
  for (const signal of SIGNALS) process.once(signal, () => heed(signal, timer));
}

/** A second signal would make the server hurry, so the first one ends the watch. */
function heed(signal, timer) {
  clearInterval(timer);
  // While nobody else listens, ours would have swallowed it.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
