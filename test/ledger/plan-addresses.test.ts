import { expect, test } from 'vitest';
import { planAddresses } from '../../src/ledger/store/plan-addresses.ts';

const row = { id: 'a', channel: 'telegram', configuredChatId: '-1', chatId: '-1', threadId: '', disabledReason: null };
const wanted = { channel: 'telegram', chatId: '-1', threadId: null };
const nothing = { create: [], enable: [], disable: [] };

test.each([
  ['nothing wanted, nothing known', [], [], nothing],
  ['what is wanted and active stays', [row], [wanted], nothing],
  ['what is new is made, once', [], [wanted, wanted], { ...nothing, create: [wanted] }],
  ['what is not wanted is disabled', [row], [], { ...nothing, disable: ['a'] }],
  ['what is disabled already stays so', [{ ...row, disabledReason: 'gone' }], [], nothing],
  ['what is wanted again is enabled', [{ ...row, disabledReason: 'gone' }], [wanted], { ...nothing, enable: ['a'] }],
  ['a moved chat is known by where it was', [{ ...row, chatId: '-2' }], [wanted], nothing],
  ['a moved chat is known by where it is', [{ ...row, chatId: '-2' }], [{ ...wanted, chatId: '-2' }], nothing],
  [
    'another thread is another address',
    [row],
    [{ ...wanted, threadId: '5' }],
    { enable: [], disable: ['a'], create: [{ ...wanted, threadId: '5' }] },
  ],
  [
    'another channel is another address',
    [row],
    [{ ...wanted, channel: 'slack' }],
    { enable: [], disable: ['a'], create: [{ ...wanted, channel: 'slack' }] },
  ],
])('%s', (_name, known, want, plan) => {
  expect(planAddresses(known, want)).toEqual(plan);
});
