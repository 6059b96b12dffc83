import { toObject } from '../json.ts';

/**
 * Whom a mention notifies; null: nobody. Without `allowed_mentions` everything in a message notifies (resources/message.mdx#allowed-mentions-object).
 */
export function toPinged(mention: string, allowed: unknown): string | null {
  const { parse, users, roles } = toObject(allowed);
  const all = allowed === undefined || allowed === null;
  const allows = (kind: string, id: string, ids: unknown) =>
    all || (Array.isArray(parse) && parse.includes(kind)) || (Array.isArray(ids) && ids.includes(id));
  if (mention.startsWith('@')) return allows('everyone', '', null) ? mention : null;
  const id = mention.replaceAll(/[<@!&>]/g, '');
  if (mention.startsWith('<@&')) return allows('roles', id, roles) ? `&${id}` : null;
  return allows('users', id, users) ? id : null;
}
