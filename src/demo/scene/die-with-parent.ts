import { rmSync } from 'node:fs';

/**
 * Loaded into the demo's server process (`node --import die-with-parent.js?remove=FOLDER`): when the demo dies, however it dies,
 * its end of our stdin closes and the server stops as it would at SIGTERM. Then nothing of a demo stays behind, its folder
 * neither.
 */
const graceMs = 4_000;

let asked = false;
const stop = () => {
  if (asked) return;
  asked = true;
  const folder = new URL(import.meta.url).searchParams.get('remove');
  if (folder !== null) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  setTimeout(() => process.exit(1), graceMs).unref();
  // Through the server's own handler; while it starts there is none yet, and nothing to save either.
  if (process.listenerCount('SIGTERM') === 0) process.exit(1);
  process.kill(process.pid, 'SIGTERM');
};

process.stdin.on('end', stop);
process.stdin.on('close', stop);
process.stdin.on('error', stop);
process.stdin.resume();
// The demo that read our output is gone: that must not end the server before it has stopped in order.
process.stdout.on('error', stop);
process.stderr.on('error', stop);
