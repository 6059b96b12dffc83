import { postEphemeral, postMessage, update } from './chat-methods.ts';
import type { Method } from './method.ts';
import {
  authTest,
  conversationHistory,
  conversationInfo,
  openConnection,
  openConversation,
  openView,
  userInfo,
} from './workspace-methods.ts';

/** Every method the emulator knows, with the tokens it takes. */
export const methods: Readonly<Record<string, { readonly run: Method; readonly token: 'bot' | 'app' }>> = {
  'auth.test': { run: authTest, token: 'bot' },
  'apps.connections.open': { run: openConnection, token: 'app' },
  'chat.postMessage': { run: postMessage, token: 'bot' },
  'chat.update': { run: update, token: 'bot' },
  'chat.postEphemeral': { run: postEphemeral, token: 'bot' },
  'conversations.open': { run: openConversation, token: 'bot' },
  'conversations.info': { run: conversationInfo, token: 'bot' },
  'conversations.history': { run: conversationHistory, token: 'bot' },
  'conversations.replies': { run: conversationHistory, token: 'bot' },
  'users.info': { run: userInfo, token: 'bot' },
  'views.open': { run: openView, token: 'bot' },
};
