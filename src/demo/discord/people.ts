import type { EmulatedChat } from '../emulator.ts';
import { type JsonObject, toObjects, toText } from '../json.ts';
import { componentTypes, linkStyle } from './component-rules.ts';
import type { Gateway } from './gateway.ts';
import { bot, type DiscordMessage, type Guild, guildId } from './guild.ts';
import type { Interaction, Interactions } from './interactions.ts';
import { readModalInput } from './modal-rules.ts';
import { type Modals, toForm } from './modals.ts';
import { toChannel, toMember, toMessage, toUser } from './payloads.ts';

/** What people do in the app, as Discord passes it on. */
export function createPeople(deps: {
  readonly guild: Guild;
  readonly gateway: Gateway;
  readonly interactions: Interactions;
  readonly modals: Modals;
  readonly newId: () => string;
  readonly mainRoom: string;
}): Pick<EmulatedChat, 'press' | 'submitForm' | 'write' | 'openForm'> {
  const { guild, gateway, interactions, modals, newId, mainRoom } = deps;

  /** @returns false when the bot did not answer in time, or is not there at all */
  const deliver = async (interaction: Interaction, data: JsonObject): Promise<boolean> => {
    if (!gateway.deliver('INTERACTION_CREATE', toPayload(guild, interaction, data))) return false;
    return interactions.whenAcknowledged(interaction);
  };

  return {
    openForm(personId) {
      const modal = modals.of(personId);
      return modal === null ? null : toForm(modal);
    },
    async press(personId, messageId, buttonId) {
      const source = findMessage(guild, messageId);
      const button = source === null ? null : findButton(source, buttonId);
      if (source === null || button === null)
        throw new Error(`There was never a button ${buttonId} on message ${messageId}.`);
      // A link opens in the browser; the bot hears nothing of it.
      if (button.style === linkStyle) return;
      const { channelId } = source;
      const interaction = interactions.create({ id: newId(), kind: 'component', personId, channelId, source });
      if (await deliver(interaction, { component_type: componentTypes.button, custom_id: button.custom_id, id: 1 }))
        return;
      guild.note(personId, 'This interaction failed');
    },
    async submitForm(personId, text) {
      const modal = modals.of(personId);
      if (modal === null) throw new Error(`${personId} has no form open.`);
      const input = readModalInput(modal.data);
      if (input === null) throw new Error('The open form has no field.');
      if (text.length > input.most || text.length < Math.max(input.least, input.required ? 1 : 0)) {
        guild.note(
          personId,
          `Must be between ${Math.max(input.least, input.required ? 1 : 0)} and ${input.most} in length.`,
        );
        return;
      }
      const { channelId, source } = modal;
      const interaction = interactions.create({ id: newId(), kind: 'modal_submit', personId, channelId, source });
      const field = { type: componentTypes.textInput, id: 2, custom_id: input.customId, value: text };
      const component =
        input.within === 'label'
          ? { type: componentTypes.label, id: 1, component: field }
          : { type: componentTypes.row, id: 1, components: [field] };
      if (await deliver(interaction, { custom_id: modal.data.custom_id, components: [component] })) {
        modals.close(personId);
        guild.changed();
      } else guild.note(personId, 'Something went wrong. Try again.');
    },
    async write(personId, text, replyTo) {
      guild.post(
        {
          channelId: mainRoom,
          authorId: personId,
          content: text,
          embeds: [],
          components: [],
          loading: false,
          ...(replyTo === undefined ? {} : { replyTo }),
        },
        undefined,
      );
    },
  };
}

function toPayload(guild: Guild, interaction: Interaction, data: JsonObject): JsonObject {
  const { id, token, kind, personId, channelId, source } = interaction;
  const room = guild.rooms.get(channelId);
  const inGuild = room?.with === undefined;
  return {
    id,
    application_id: bot.applicationId,
    type: kind === 'component' ? 3 : 5,
    token,
    version: 1,
    channel_id: channelId,
    ...(room === undefined ? {} : { channel: toChannel(guild, room) }),
    ...(inGuild
      ? {
          guild_id: guildId,
          guild: { id: guildId, locale: 'en-US', features: [] },
          guild_locale: 'en-US',
          member: toMember(guild, personId),
        }
      : { user: toUser(guild, personId) }),
    ...(source === null ? {} : { message: toMessage(guild, source) }),
    data,
    locale: 'en-US',
    app_permissions: '562949953863680',
    entitlements: [],
    authorizing_integration_owners: inGuild ? { 0: guildId } : { 0: '0' },
    context: inGuild ? 0 : 1,
    attachment_size_limit: 10_485_760,
  };
}

function findMessage(guild: Guild, id: string): DiscordMessage | null {
  for (const room of guild.rooms.keys()) {
    const message = guild.find(room, id);
    if (message !== null) return message;
  }
  return null;
}

function findButton(message: DiscordMessage, id: string): JsonObject | null {
  const rows = [...message.components, ...(message.earlier ?? [])];
  const buttons = rows.flatMap((row) => toObjects(row.components));
  return buttons.find((button) => button.custom_id === id || `link:${toText(button.url)}` === id) ?? null;
}
