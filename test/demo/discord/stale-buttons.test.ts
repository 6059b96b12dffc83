import { expect, onTestFinished, test } from 'vitest';
import { createDiscordEmulator } from '../../../src/demo/discord/discord-emulator.ts';
import { createRawBot, identify, interactionShape } from './raw-bot.ts';

const rows = (button: object) => ({ components: [{ type: 1, components: [{ type: 2, label: 'x', ...button }] }] });

test('an app that has not seen an edit yet can press the old button; links and buttons that never were reach no bot', async () => {
  const chat = await createDiscordEmulator();
  onTestFinished(() => chat.stop());
  const bot = createRawBot(chat);
  const socket = await bot.connect();
  socket.send(2, identify(bot.token));
  await socket.next((frame) => frame.t === 'READY');
  await bot.post({ content: 'page', ...rows({ style: 3, custom_id: 'yes' }) });
  const [{ id } = { id: '' }] = chat.messages();
  const [ada = { id: '' }] = chat.people;
  const link = rows({ style: 5, url: 'https://beckon.example.com/' });
  await bot.call('PATCH', `/channels/${bot.channel}/messages/${id}`, { content: 'settled', ...link });
  expect(chat.messages()[0]?.buttons).toEqual([
    { id: 'link:https://beckon.example.com/', label: 'x', look: 'link', url: 'https://beckon.example.com/' },
  ]);

  const pressed = chat.press(ada.id, id, 'yes');
  const press = await socket.next((frame) => frame.t === 'INTERACTION_CREATE');
  const { id: interactionId, token } = interactionShape.parse(press.d);
  await bot.open('POST', `/interactions/${interactionId}/${token}/callback`, { type: 6 });
  await pressed;
  await chat.press(ada.id, id, 'link:https://beckon.example.com/');
  await expect(chat.press(ada.id, id, 'no')).rejects.toThrow('There was never a button no');

  expect(socket.frames.filter((frame) => frame.t === 'INTERACTION_CREATE')).toHaveLength(1);
  expect(chat.privateNotes(ada.id)).toEqual([]);
});
