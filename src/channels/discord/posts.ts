import { createHash } from 'node:crypto';
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { ChannelAddress, Receipt } from '../contract.ts';
import type { Page } from '../page.ts';
import type { Api } from './api.ts';
import { type DiscordContent, renderPage } from './render.ts';
import { toSendError } from './send-errors.ts';

/** Posting and editing pages. */
export interface Posts {
  /** The same page token at the same address is one message, for the few minutes that Discord keeps a nonce. @throws SendError */
  post(page: Page, address: ChannelAddress): Promise<Receipt>;
  /** @throws SendError */
  edit(receipt: Receipt, page: Page): Promise<Receipt>;
}

const postedMessage = z.object({
  id: z.string(),
  content: z.string().default(''),
  components: z.array(z.unknown()).default([]),
  embeds: z.array(z.object({ description: z.string().default('') })).default([]),
});

/** Discord's limit of a nonce. */
const mostNonce = 25;

export function createPosts(deps: { readonly api: Api }): Posts {
  const { api } = deps;

  const edit = async (receipt: Receipt, content: DiscordContent): Promise<Receipt> => {
    const room = receipt.threadId ?? receipt.chatId;
    try {
      return await api.call(
        (rest, signal) => rest.patch(Routes.channelMessage(room, receipt.messageId), { body: content, signal }),
        () => receipt,
      );
    } catch (error) {
      throw toSendError(error, `editing a page in ${room}`);
    }
  };

  return {
    async post(page, address) {
      const room = address.threadId ?? address.chatId;
      const content = renderPage(page);
      const body = { ...content, nonce: toNonce(page.token, room), enforce_nonce: true };
      const posted = await api
        .call((rest, signal) => rest.post(Routes.channelMessages(room), { body, signal }), postedMessage.parse)
        .catch((error: unknown) => {
          throw toSendError(error, `posting to ${room}`);
        });
      const receipt = { ...address, messageId: posted.id };
      // An earlier try that Discord took although its call broke: the message shows the page as it was then.
      return isSame(posted, content) ? receipt : edit(receipt, content);
    },
    edit: (receipt, page) => edit(receipt, renderPage(page)),
  };
}

/** Discord keeps nonces by author, not by channel: the channel is part of ours. */
function toNonce(token: string, room: string): string {
  return createHash('sha256').update(`${room} ${token}`).digest('base64url').slice(0, mostNonce);
}

function isSame(posted: z.infer<typeof postedMessage>, content: DiscordContent): boolean {
  const texts = (message: { content: string; embeds: readonly { description?: string }[] }) =>
    [message.content, ...message.embeds.map((embed) => embed.description ?? '')].map((text) => text.trim()).join('\n');
  return texts(posted) === texts(content) && posted.components.length === content.components.length;
}
