import { basename } from 'node:path';
import { branchOf } from './instance-branch.ts';

const cap = 100;

/**
 * What people read to know which agent asks: `folder · branch`, or the session's own name; ` #2` and so on when agents share a
 * folder. One line of at most 100 code points, whatever the folder is called.
 */
export function labelOf(input: {
  readonly folder: string;
  readonly sessionName: string | null;
  /** Which of the agents in this folder, from 1. */
  readonly place: number;
}): string {
  const { folder, sessionName, place } = input;
  const suffix = place > 1 ? ` #${place}` : '';
  return cut(plain(sessionName ?? placeName(folder)), cap - suffix.length) + suffix;
}

function placeName(folder: string): string {
  const branch = branchOf(folder);
  const name = basename(folder) || folder;
  return branch === null ? name : `${name} · ${branch}`;
}

/** File names may hold anything but a slash; a label is one line of well-formed text. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\ufffd').toWellFormed();
}

function cut(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
