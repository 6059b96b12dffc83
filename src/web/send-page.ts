import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Renders and sends a whole page. */
export function sendPage(response: Response, status: number, page: VNode): void {
  response
    .status(status)
    .type('html')
    .send(`<!doctype html>${renderToString(page)}`);
}

/** Renders and sends the changing parts of a page. */
export function sendParts(response: Response, parts: VNode): void {
  response.type('html').send(renderToString(parts));
}
