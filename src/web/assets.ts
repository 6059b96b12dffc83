import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler } from 'express';

/** The files that browsers fetch as they are. Their address holds a hash of them all, so they can be kept for ever. */
export interface Assets {
  urlOf(file: 'app.css' | 'htmx.min.js' | 'live.js' | 'beckon.svg'): string;
  readonly mount: string;
  readonly serve: RequestHandler;
}

export function createAssets(): Assets {
  const folder = fileURLToPath(new URL('public/', import.meta.url));
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(folder + name));
  const mount = `/assets/${hash.digest('hex').slice(0, 16)}`;
  return {
    urlOf: (file) => `${mount}/${file}`,
    mount,
    serve: express.static(folder, {
      index: false,
      redirect: false,
      cacheControl: false,
      setHeaders: (response) => response.setHeader('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  };
}
