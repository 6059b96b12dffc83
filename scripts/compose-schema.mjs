import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const databases = ['sqlite', 'postgres'];

/** The whole Prisma schema of one database, without a generator. */
export function composeSchema(root, database) {
  const read = (path) => readFileSync(join(root, 'prisma', path), 'utf8');
  return `${read(`${database}/header.prisma`)}\n${read('models.prisma')}`;
}
