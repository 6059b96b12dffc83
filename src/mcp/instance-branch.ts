import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * What is checked out at a folder: the branch's name, a short hash for a detached head, or null without git. Reads `.git` by
 * hand, also that of worktrees and submodules (a file that says `gitdir: …`), so that no git binary is needed.
 * Source: gitrepository-layout(5).
 */
export function branchOf(folder: string): string | null {
  const gitDir = gitDirOf(folder);
  const head = gitDir === null ? null : read(join(gitDir, 'HEAD'));
  if (head === null) return null;
  const ref = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1];
  // `.invalid` is what HEAD says in a repository that keeps its references in a reftable.
  if (ref !== undefined) return ref === '.invalid' ? null : ref;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : null;
}

function gitDirOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    if (isFolder(dotGit)) return dotGit;
    const link = /^gitdir: (.+)$/.exec(read(dotGit) ?? '')?.[1];
    if (link !== undefined) return resolve(at, link);
    if (dirname(at) === at) return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
