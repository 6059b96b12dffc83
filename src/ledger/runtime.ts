import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** The only place that reads the clock or makes ids. Handed on as values; see `bot/compose.ts`. */
export const clock = { now: () => new Date() };

/** UUIDv7: sorts by the time it was made. */
export function newId(): string {
  return v7();
}

/** 22 characters of base64url over 16 random bytes: opaque, small enough for every platform's button. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

/** 43 characters of base64url over 32 random bytes: for keys, sessions and links. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
