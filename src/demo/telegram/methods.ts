import { accept, answerCallbackQuery, getChat, getChatMember, getMe, sendChatAction } from './bot-methods.ts';
import { deleteMessage, editMessageReplyMarkup, editMessageText, sendMessage } from './message-methods.ts';
import type { Method } from './method.ts';
import { createUpdateMethods, type Webhook } from './update-methods.ts';

/** Every method the emulator knows, by its canonical name. The Bot API takes names in any case. */
export function createMethods(webhook: Webhook): ReadonlyMap<string, { readonly name: string; readonly run: Method }> {
  const methods: Readonly<Record<string, Method>> = {
    getMe,
    getChat,
    getChatMember,
    setMyCommands: accept,
    deleteMyCommands: accept,
    sendChatAction,
    sendMessage,
    editMessageText,
    editMessageReplyMarkup,
    deleteMessage,
    answerCallbackQuery,
    ...createUpdateMethods(webhook),
  };
  return new Map(Object.entries(methods).map(([name, run]) => [name.toLowerCase(), { name, run }]));
}
