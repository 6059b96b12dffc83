import { toText } from '../json.ts';
import { readChat, toInteger } from './addressing.ts';
import { bot } from './group.ts';
import { type Method, refuse } from './method.ts';
import { botUser, toChat, toUser } from './payloads.ts';

export const getMe: Method = () => ({
  result: {
    ...botUser,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  },
});

export const getChat: Method = (args, context) => {
  const chat = readChat(args, context);
  if ('refused' in chat) return chat;
  const permissions = { can_send_messages: true, can_send_polls: true, can_invite_users: true };
  return { result: { ...toChat(chat), accent_color_id: 0, max_reaction_count: 11, permissions } };
};

export const getChatMember: Method = (args, context) => {
  const chat = readChat(args, context);
  if ('refused' in chat) return chat;
  const id = toInteger(args.user_id);
  if (id === null) return refuse(400, 'Bad Request: invalid user_id specified', { violates: true });
  if (id === bot.id) return { result: { user: botUser, status: 'member' } };
  const person = context.group.personOf(id);
  if (person === null) return refuse(400, 'Bad Request: user not found');
  return { result: { user: toUser(person), status: 'member' } };
};

/** Accepted and of no visible consequence here. */
export const accept: Method = () => ({ result: true });

export const sendChatAction: Method = (args, context) => {
  const chat = readChat(args, context);
  return 'refused' in chat ? chat : { result: true };
};

const mostToast = 200;

export const answerCallbackQuery: Method = (args, { group, queries }) => {
  const text = toText(args.text);
  if (text.length > mostToast) return refuse(400, 'Bad Request: MESSAGE_TOO_LONG', { violates: true });
  const answered = queries.answer(toText(args.callback_query_id));
  if (answered === null) {
    return refuse(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
  }
  if (text !== '' && answered.first) group.note(answered.personId, text);
  return { result: true };
};
