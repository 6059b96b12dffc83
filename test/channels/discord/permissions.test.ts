import { describe, expect, it } from 'vitest';
import { findMissing } from '../../../src/channels/discord/permissions.ts';

const view = 1n << 10n;
const send = 1n << 11n;
const embed = 1n << 14n;
const all = view | send | embed;
const facts = (more: Partial<Parameters<typeof findMissing>[0]>) => ({
  guildId: 'g',
  botId: 'b',
  roles: [{ id: 'g', permissions: all }],
  memberRoles: [],
  overwrites: [],
  ...more,
});

describe('what the bot lacks', () => {
  it.each([
    ['nothing', facts({}), []],
    ['what no role grants', facts({ roles: [{ id: 'g', permissions: view }] }), ['Send Messages', 'Embed Links']],
    [
      'roles of others do not count',
      facts({
        roles: [
          { id: 'g', permissions: view },
          { id: 'r', permissions: all },
        ],
      }),
      ['Send Messages', 'Embed Links'],
    ],
    [
      'its own do',
      facts({
        roles: [
          { id: 'g', permissions: 0n },
          { id: 'r', permissions: all },
        ],
        memberRoles: ['r'],
      }),
      [],
    ],
    [
      'a channel that is closed to everyone',
      facts({ overwrites: [{ id: 'g', allow: 0n, deny: view }] }),
      ['View Channel'],
    ],
    [
      'but open to its role',
      facts({
        memberRoles: ['r'],
        overwrites: [
          { id: 'g', allow: 0n, deny: view },
          { id: 'r', allow: view, deny: 0n },
        ],
      }),
      [],
    ],
    [
      'or to itself',
      facts({
        memberRoles: ['r'],
        overwrites: [
          { id: 'r', allow: 0n, deny: send },
          { id: 'b', allow: send, deny: 0n },
        ],
      }),
      [],
    ],
    [
      'an administrator lacks nothing',
      facts({ roles: [{ id: 'g', permissions: 8n }], overwrites: [{ id: 'g', allow: 0n, deny: all }] }),
      [],
    ],
  ])('%s', (_name, given, missing) => expect(findMissing(given)).toEqual(missing));
});
