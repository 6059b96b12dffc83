import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** From src/, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly SourceImport[];
}

export interface SourceImport {
  /** From src/ for our own files, the package's specifier for others. */
  readonly to: string;
  readonly isOwn: boolean;
  /** Gone once compiled. */
  readonly isTypeOnly: boolean;
}

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const statement =
  /^(?:import|export)\s+(?<type>type\s)?(?<names>[^'";]*?\sfrom\s+)?'(?<from>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm;

/** Every file of src/ but the generated clients. */
export function readSourceFiles(): readonly SourceFile[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('/generated/'))
    .sort()
    .map(readSourceFile);
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(src, path), 'utf8');
  const imports = [...text.matchAll(statement)].map(({ groups = {} }): SourceImport => {
    const from = groups.from ?? groups.dynamic ?? '';
    const isOwn = from.startsWith('.');
    const to = isOwn ? normalize(join(dirname(path), from)).replaceAll('\\', '/') : from;
    return { to, isOwn, isTypeOnly: groups.type !== undefined || isTypesInBraces(groups.names) };
  });
  return { path, text, lines: text.split('\n').length - 1, imports };
}

/** `{ type A, type B } from` leaves an import for its effects at most, which nothing here relies on. */
function isTypesInBraces(names: string | undefined): boolean {
  const inside = /^\{(?<list>[^}]*)\}/.exec(names?.trim() ?? '')?.groups?.list;
  return inside?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) ?? false;
}
