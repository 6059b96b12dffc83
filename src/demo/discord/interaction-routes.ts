import { type JsonObject, toObject } from '../json.ts';
import { createFormFaults } from './form-faults.ts';
import { bot } from './guild.ts';
import type { Interaction } from './interactions.ts';
import { checkBody, readBody, readChange } from './message-routes.ts';
import { isEmptyMessage } from './message-rules.ts';
import { checkModal } from './modal-rules.ts';
import { toMessage } from './payloads.ts';
import { ok, type Route, type RouteAnswer, type RouteContext, refuse } from './route.ts';

const types = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7, modal: 9 } as const;
const ephemeralFlag = 64;
/** An interaction response notifies people only (resources/message.mdx#allowed-mentions-object). */
const replyMentions = { parse: ['users'] };

/** The first response, within 3 s and once (interactions/receiving-and-responding.mdx#create-interaction-response). */
export const respond: Route = ({ ids: [id = '', token = ''], query, body }, context) => {
  const interaction = context.interactions.find(id, token);
  if (interaction === null) return refuse(404, 10062, 'Unknown interaction');
  if (interaction.acknowledged) return refuse(400, 40060, 'Interaction has already been acknowledged.');
  const data = toObject(body.data);
  const invalid = checkResponse(interaction, body.type, data, context);
  if (invalid !== null) return invalid;
  if (context.interactions.acknowledge(interaction) !== null) return refuse(404, 10062, 'Unknown interaction');
  show(interaction, body.type, data, context);
  if (query.get('with_response') !== 'true') return { status: 204 };
  return ok({
    interaction: { id: interaction.id, type: interaction.kind === 'component' ? 3 : 5 },
    ...(interaction.original === null
      ? {}
      : { resource: { type: body.type, message: toMessage(context.guild, interaction.original) } }),
  });
};

export const followUp: Route = ({ ids: [, token = ''], body }, context) => {
  const interaction = openWebhook(token, context);
  if ('status' in interaction) return interaction;
  const refused =
    checkBody(context.guild, body) ??
    (isEmptyMessage(body) ? refuse(400, 50006, 'Cannot send an empty message') : null);
  if (refused !== null) return refused;
  return ok(toMessage(context.guild, post(interaction, body, context)));
};

export const editOriginal: Route = ({ ids: [, token = ''], body }, context) => {
  const { guild } = context;
  const interaction = openWebhook(token, context);
  if ('status' in interaction) return interaction;
  if (interaction.original === null) return refuse(404, 10008, 'Unknown Message');
  const refused = checkBody(guild, body);
  if (refused !== null) return refused;
  guild.edit(interaction.original, readChange(body), body.allowed_mentions ?? replyMentions);
  return ok(toMessage(guild, interaction.original));
};

export const getOriginal: Route = ({ ids: [, token = ''] }, context) => {
  const interaction = openWebhook(token, context);
  if ('status' in interaction) return interaction;
  return interaction.original === null
    ? refuse(404, 10008, 'Unknown Message')
    : ok(toMessage(context.guild, interaction.original));
};

export const deleteOriginal: Route = ({ ids: [, token = ''] }, context) => {
  const interaction = openWebhook(token, context);
  if ('status' in interaction) return interaction;
  if (interaction.original === null) return refuse(404, 10008, 'Unknown Message');
  context.guild.remove(interaction.original);
  interaction.original = null;
  return { status: 204 };
};

function openWebhook(token: string, { interactions }: RouteContext): Interaction | RouteAnswer {
  const interaction = interactions.findByToken(token);
  if (interaction === null || !interaction.acknowledged) return refuse(404, 10015, 'Unknown Webhook');
  if (!interactions.isTokenAlive(interaction)) return refuse(401, 50027, 'Invalid Webhook Token');
  return interaction;
}

function checkResponse(
  interaction: Interaction,
  type: unknown,
  data: JsonObject,
  { guild }: RouteContext,
): RouteAnswer | null {
  const faults = createFormFaults();
  const known = Object.values<unknown>(types).includes(type);
  if (!known || (type === types.modal && interaction.kind === 'modal_submit')) {
    faults.add('type', 'BASE_TYPE_CHOICES', 'Value must be one of the types that fit this interaction.');
  } else if ((type === types.update || type === types.deferredUpdate) && interaction.source === null) {
    faults.add('type', 'BASE_TYPE_CHOICES', 'There is no message to update.');
  } else if (type === types.modal) checkModal(faults, data);
  else if (type === types.message && isEmptyMessage(data)) return refuse(400, 50006, 'Cannot send an empty message');
  else if (type === types.message || type === types.update) return checkBody(guild, data);
  const invalid = faults.toBody();
  if (invalid === null) return null;
  guild.violate(`interaction response refused: ${faults.list().join('; ')}`);
  return { status: 400, body: invalid };
}

function show(interaction: Interaction, type: unknown, data: JsonObject, context: RouteContext): void {
  const { guild, modals } = context;
  const { personId, channelId, source } = interaction;
  if (type === types.modal) modals.open(personId, { data, channelId, source });
  else if (type === types.deferredMessage) interaction.original = post(interaction, data, context, true);
  else if (type === types.message) interaction.original = post(interaction, data, context);
  else if (source !== null) {
    interaction.original = source;
    if (type === types.update) guild.edit(source, readChange(data), data.allowed_mentions ?? replyMentions);
  }
  guild.changed();
}

function post(interaction: Interaction, body: JsonObject, { guild }: RouteContext, loading = false) {
  const { personId, channelId } = interaction;
  const isEphemeral = typeof body.flags === 'number' && (body.flags & ephemeralFlag) !== 0;
  return guild.post(
    {
      channelId,
      authorId: bot.userId,
      loading,
      ...readBody(body),
      ...(isEphemeral ? { onlyFor: personId } : {}),
    },
    body.allowed_mentions ?? replyMentions,
  );
}
