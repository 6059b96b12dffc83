import { createServer } from 'node:net';

/**
 * Says so before anything is started, in the words of the demo's own options.
 * @throws Error with a sentence when the port is taken
 */
export async function refuseTakenPort(port: number, option: string): Promise<void> {
  const probe = createServer();
  const free = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!free)
    throw new Error(`port ${port} is in use, perhaps by another Beckon: stop it, or choose another with ${option}`);
  await new Promise((resolve) => probe.close(resolve));
}
