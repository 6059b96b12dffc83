import type { EmulatedChat } from '../emulator.ts';
import { type JsonObject, toObject, toObjects, toText } from '../json.ts';
import { toPayload } from './chat-methods.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Delivery, Sockets } from './sockets.ts';
import { inputOf, type OpenView, type Views } from './views.ts';
import { bot, type SlackMessage, team, type Workspace } from './workspace.ts';
import { toHandle } from './workspace-methods.ts';

/** What people do in the app, as Slack passes it on. */
export function createPeople(deps: {
  readonly workspace: Workspace;
  readonly sockets: Sockets;
  readonly views: Views;
  readonly responseUrls: ResponseUrls;
  readonly baseUrl: string;
  readonly mainRoom: string;
}): Pick<EmulatedChat, 'press' | 'submitForm' | 'write' | 'openForm'> {
  const { workspace, sockets, views, responseUrls, baseUrl, mainRoom } = deps;

  const context = (userId: string) => ({
    user: {
      id: userId,
      username: toHandle(workspace.nameOf(userId) ?? userId),
      name: toHandle(workspace.nameOf(userId) ?? userId),
      team_id: team.id,
    },
    team: { id: team.id, domain: team.domain },
    api_app_id: bot.appId,
    token: 'verification',
    is_enterprise_install: false,
    enterprise: null,
  });

  const markFailure = (userId: string, delivery: Delivery) => {
    if (delivery.acknowledged) return;
    const why = delivery.reason === 'no_ack' ? 'it did not acknowledge within 3 seconds' : 'it is not connected';
    workspace.note(userId, `⚠ ${bot.name} is not responding: ${why}. Try again.`);
  };

  const submit = async (opened: OpenView, text: string) => {
    const input = inputOf(opened.view);
    const { userId, view } = opened;
    const value = text === '' ? null : text;
    const values = input === null ? {} : { [input.blockId]: { [input.actionId]: { type: 'plain_text_input', value } } };
    const delivery = await sockets.deliver('interactive', {
      type: 'view_submission',
      ...context(userId),
      trigger_id: views.issueTrigger(userId),
      view: { ...view, id: opened.id, hash: opened.hash, team_id: team.id, app_id: bot.appId, state: { values } },
      response_urls: [],
    });
    if (!delivery.acknowledged) {
      workspace.note(userId, '⚠ We had some trouble connecting. Try again?');
      return;
    }
    if (delivery.payload.response_action === 'errors') {
      for (const error of Object.values(toObject(delivery.payload.errors))) workspace.note(userId, toText(error));
      return;
    }
    views.close(userId);
    workspace.changed();
  };

  return {
    openForm(personId) {
      const opened = views.of(personId);
      return opened === null ? null : (inputOf(opened.view)?.form ?? null);
    },
    async press(personId, messageId, buttonId) {
      const message = findMessage(workspace, messageId);
      const found = message === null ? null : findButton(message, buttonId);
      if (message === null || found === null) {
        throw new Error(`There was never a button ${buttonId} on message ${messageId}.`);
      }
      const { block, button } = found;
      const delivery = await sockets.deliver('interactive', {
        type: 'block_actions',
        ...context(personId),
        container: { type: 'message', message_ts: message.ts, channel_id: message.channel, is_ephemeral: false },
        trigger_id: views.issueTrigger(personId),
        channel: { id: message.channel, name: workspace.rooms.get(message.channel)?.name ?? '' },
        message: toPayload(message),
        state: { values: {} },
        response_url: `${baseUrl}${responseUrls.issue(personId, message)}`,
        actions: [
          {
            type: 'button',
            action_id: button.action_id,
            block_id: block.block_id,
            text: button.text,
            ...(button.value === undefined ? {} : { value: button.value }),
            action_ts: (Date.now() / 1_000).toFixed(6),
          },
        ],
      });
      markFailure(personId, delivery);
    },
    async submitForm(personId, text) {
      const opened = views.of(personId);
      if (opened === null) throw new Error(`${personId} has no form open.`);
      const input = inputOf(opened.view);
      if (input !== null && text.length > input.form.maxLength) {
        workspace.note(personId, `This needs to be ${input.form.maxLength} characters or fewer.`);
        return;
      }
      if (input !== null && !input.optional && text === '') {
        workspace.note(personId, 'Please complete this required field.');
        return;
      }
      await submit(opened, text);
    },
    async write(personId, text, replyTo) {
      workspace.post({
        channel: mainRoom,
        author: personId,
        text,
        blocks: [],
        metadata: null,
        ...(replyTo === undefined ? {} : { threadTs: replyTo }),
      });
    },
  };
}

function findMessage(workspace: Workspace, ts: string): SlackMessage | null {
  for (const room of workspace.rooms.keys()) {
    const message = workspace.find(room, ts);
    if (message !== null) return message;
  }
  return null;
}

function findButton(message: SlackMessage, actionId: string): { block: JsonObject; button: JsonObject } | null {
  for (const block of [message.blocks, ...(message.earlier ?? [])].flat()) {
    const button = toObjects(block.elements).find((element) => element.action_id === actionId);
    if (button !== undefined) return { block, button };
  }
  return null;
}
