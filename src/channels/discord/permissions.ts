import { PermissionFlagsBits as Flags } from 'discord.js';
import { z } from 'zod';

const bits = z.string().regex(/^\d+$/).transform(BigInt);

/** What of a channel, a server's roles and the bot's membership decides what the bot may do. */
export const overwritesShape = z.array(z.object({ id: z.string(), allow: bits, deny: bits })).default([]);
export const rolesShape = z.array(z.object({ id: z.string(), permissions: bits }));
export const memberShape = z.object({ roles: z.array(z.string()) });

/** What a page needs, as the server's settings call it. */
const needed: readonly (readonly [bigint, string])[] = [
  [Flags.ViewChannel, 'View Channel'],
  [Flags.SendMessages, 'Send Messages'],
  [Flags.EmbedLinks, 'Embed Links'],
];

/** The permissions that the bot lacks in a channel, by Discord's own order (topics/permissions.mdx#permission-overwrites). */
export function findMissing(facts: {
  readonly guildId: string;
  readonly botId: string;
  readonly roles: z.infer<typeof rolesShape>;
  readonly memberRoles: readonly string[];
  readonly overwrites: z.infer<typeof overwritesShape>;
}): string[] {
  const { guildId, botId, roles, memberRoles, overwrites } = facts;
  const mine = roles.filter(({ id }) => id === guildId || memberRoles.includes(id));
  let allowed = mine.reduce((sum, { permissions }) => sum | permissions, 0n);
  if ((allowed & Flags.Administrator) !== 0n) return [];
  for (const ids of [[guildId], memberRoles, [botId]]) {
    const fitting = overwrites.filter(({ id }) => ids.includes(id));
    allowed &= ~fitting.reduce((sum, { deny }) => sum | deny, 0n);
    allowed |= fitting.reduce((sum, { allow }) => sum | allow, 0n);
  }
  return needed.filter(([bit]) => (allowed & bit) === 0n).map(([, name]) => name);
}
