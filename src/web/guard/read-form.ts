import express, { type Request, type RequestHandler } from 'express';
import { PageError } from './page-error.ts';

/** 2,000 characters of four bytes each, percent-encoded, are 24 kB; twice that is enough for every form. */
const limit = '64kb';

/** Reads the form of a POST. Everything but a plain form is refused. */
export const readForm: readonly RequestHandler[] = [
  (request, _response, next) => {
    if (request.is('application/x-www-form-urlencoded') !== false) return next();
    next(
      new PageError(
        415,
        'Not a form',
        'This address takes a form (application/x-www-form-urlencoded). Nothing was changed.',
      ),
    );
  },
  express.urlencoded({ extended: false, limit, parameterLimit: 20 }),
];

/** A field of the form; undefined when it is missing or was sent more than once. Line ends are `\n`. */
export function fieldOf(request: Request, name: string): string | undefined {
  const fields: unknown = request.body;
  if (typeof fields !== 'object' || fields === null) return undefined;
  const value: unknown = Object.hasOwn(fields, name) ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : undefined;
}

export function fieldNames(request: Request): readonly string[] {
  return Object.keys(request.body ?? {});
}
