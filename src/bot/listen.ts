import type { Server } from 'node:http';

/**
 * Takes the port. Until the app is set, every request is answered 503, so that a health check sees a server that starts.
 * @throws Error with a sentence when the port cannot be had
 */
export function listen(server: Server, host: string, port: number): Promise<void> {
  server.on('request', (_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
    response.end('{"name":"beckon","status":"starting"}');
  });
  // Above the idle time of common load balancers, so that they and not we close first.
  server.keepAliveTimeout = 75_000;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(whyNot(error, host, port))));
    server.listen(port, host, resolve);
  });
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use, perhaps by another Beckon: stop it, or choose another port with BECKON_PORT`;
  }
  if (error.code === 'EACCES')
    return `port ${port} of ${host} may not be used by this account: choose one above 1024 with BECKON_PORT`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `${host} is not an address of this machine: check BECKON_HOST`;
  return `cannot listen on ${host}:${port} (${error.message}): check BECKON_HOST and BECKON_PORT`;
}
