import { bot } from './group.ts';
import { isObject, toText } from './json.ts';
import { deleteMessage, editMessageReplyMarkup, editMessageText, findChat, sendMessage } from './message-methods.ts';
import { type Method, refuse } from './method.ts';
import { botUser, toChat, toUser } from './payloads.ts';

const getMe: Method = () => ({
  result: {
    ...botUser,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
  },
});

const getUpdates: Method = (args, { updates }, ended) => updates.poll(args, ended);

const setWebhook: Method = (args, { updates }) => {
  const url = toText(args.url);
  if (url !== '' && !url.startsWith('https://')) {
    return refuse(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook', { violates: true });
  }
  updates.setWebhook(url, args.drop_pending_updates === true);
  return { result: true };
};

const deleteWebhook: Method = (args, context, ended) => setWebhook({ ...args, url: '' }, context, ended);

const getWebhookInfo: Method = (_args, { updates }) => ({
  result: { url: updates.webhookUrl(), has_custom_certificate: false, pending_update_count: updates.pending() },
});

const answerCallbackQuery: Method = (args, { queries }) =>
  queries.answer(toText(args.callback_query_id), toText(args.text));

const getChat: Method = (args, { group }) => {
  const chat = findChat(group, args);
  if ('refused' in chat) return chat;
  return { result: { ...toChat(chat), permissions: { can_send_messages: true }, accent_color_id: 0 } };
};

const getChatMember: Method = (args, { group }) => {
  const chat = findChat(group, args);
  if ('refused' in chat) return chat;
  const id = Number(args.user_id);
  const person = group.personOf(id);
  if (person === null && id !== bot.id) return refuse(400, 'Bad Request: member not found');
  return { result: { status: 'member', user: person === null ? botUser : toUser(person) } };
};

const setMyCommands: Method = (args) => {
  const { commands } = args;
  if (!Array.isArray(commands)) return refuse(400, 'Bad Request: parameter "commands" is required', { violates: true });
  const wrong = commands.find(
    (command) => !isObject(command) || !/^[a-z0-9_]{1,32}$/.test(toText(command.command)) || !command.description,
  );
  if (wrong !== undefined) return refuse(400, 'Bad Request: BOT_COMMAND_INVALID', { violates: true });
  return { result: true };
};

const chat = ['chat_id'];
const content = ['text', 'parse_mode', 'entities', 'link_preview_options', 'reply_markup'];

/** Every method that the emulator knows, with the parameters that it takes. */
export const methods: Readonly<Record<string, { readonly run: Method; readonly takes: readonly string[] }>> = {
  getMe: { run: getMe, takes: [] },
  getUpdates: { run: getUpdates, takes: ['offset', 'limit', 'timeout', 'allowed_updates'] },
  setWebhook: { run: setWebhook, takes: ['url', 'drop_pending_updates', 'allowed_updates', 'secret_token'] },
  deleteWebhook: { run: deleteWebhook, takes: ['drop_pending_updates'] },
  getWebhookInfo: { run: getWebhookInfo, takes: [] },
  sendMessage: {
    run: sendMessage,
    takes: [
      ...chat,
      ...content,
      'message_thread_id',
      'disable_notification',
      'reply_parameters',
      'reply_to_message_id',
    ],
  },
  editMessageText: { run: editMessageText, takes: [...chat, ...content, 'message_id'] },
  editMessageReplyMarkup: { run: editMessageReplyMarkup, takes: [...chat, 'message_id', 'reply_markup'] },
  deleteMessage: { run: deleteMessage, takes: [...chat, 'message_id'] },
  answerCallbackQuery: {
    run: answerCallbackQuery,
    takes: ['callback_query_id', 'text', 'show_alert', 'url', 'cache_time'],
  },
  getChat: { run: getChat, takes: chat },
  getChatMember: { run: getChatMember, takes: [...chat, 'user_id'] },
  setMyCommands: { run: setMyCommands, takes: ['commands', 'scope', 'language_code'] },
};
