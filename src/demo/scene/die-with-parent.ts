/**
 * Loaded into the demo's server process (`node --import`): when the demo dies, however it dies, its end of our stdin closes and
 * the server stops as it would at SIGTERM. Nothing of a demo stays behind.
 */
const graceMs = 4_000;

let asked = false;
const stop = () => {
  if (asked) return;
  asked = true;
  setTimeout(() => process.exit(1), graceMs).unref();
  process.kill(process.pid, 'SIGTERM');
};

process.stdin.on('end', stop);
process.stdin.on('close', stop);
process.stdin.on('error', stop);
process.stdin.resume();
// A reader that died makes writes fail: that must not be what ends the server, or it would not end cleanly.
process.stdout.on('error', stop);
process.stderr.on('error', stop);
