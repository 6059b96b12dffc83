import { createHash } from 'node:crypto';
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelAddress, Receipt } from '../contract.ts';
import type { Page } from '../page.ts';
import type { Api } from './api.ts';
import { toLine } from './log-line.ts';
import { type DiscordContent, renderPage } from './render.ts';
import { isRefusedForm, toSendError } from './send-errors.ts';

/** Posting and editing pages. */
export interface Posts {
  /** The same page token within minutes is the same message. @throws SendError */
  post(page: Page, address: ChannelAddress): Promise<Receipt>;
  /** @throws SendError */
  edit(receipt: Receipt, page: Page): Promise<Receipt>;
}

const posted = z.object({
  id: z.string(),
  content: z.string(),
  components: z.array(z.unknown()).default([]),
  embeds: z
    .array(
      z.object({
        description: z.string().default(''),
        fields: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      }),
    )
    .default([]),
});

export function createPosts(deps: { readonly api: Api; readonly sendMs: number; readonly log: ChannelLog }): Posts {
  const { api, sendMs, log } = deps;

  const patch = (receipt: Receipt, content: DiscordContent, ms: number) =>
    api.call(ms, (rest, signal) =>
      rest.patch(Routes.channelMessage(roomOf(receipt), receipt.messageId), { body: content, signal }),
    );

  /** Discord may dislike the dashboard's address (a host without a dot, say): better a page without a link than none. */
  const withoutLinkIfRefused = async <T>(page: Page, attempt: (content: DiscordContent) => Promise<T>): Promise<T> => {
    try {
      return await attempt(renderPage(page));
    } catch (error) {
      const { detailUrl, ...rest } = page;
      if (detailUrl === undefined || !isRefusedForm(error)) throw error;
      log.warn({ channel: 'discord', reason: toLine(error) }, 'Discord refused a page: trying without its link');
      return attempt(renderPage(rest));
    }
  };

  return {
    async post(page, address) {
      const until = performance.now() + sendMs;
      const left = () => until - performance.now();
      const nonce = toNonce(page.token);
      try {
        return await withoutLinkIfRefused(page, async (content) => {
          const found = await api.call(left(), (rest, signal) =>
            rest.post(Routes.channelMessages(roomOf(address)), {
              body: { ...content, nonce, enforce_nonce: true },
              signal,
            }),
          );
          const message = posted.parse(found);
          const receipt = { ...address, messageId: message.id };
          // Discord answers a repeated nonce with the earlier message as it is, which may show an earlier state.
          if (isOther(message, content)) await patch(receipt, content, left());
          return receipt;
        });
      } catch (error) {
        throw toSendError(error, `posting to ${address.chatId}`);
      }
    },
    async edit(receipt, page) {
      const until = performance.now() + sendMs;
      try {
        await withoutLinkIfRefused(page, (content) => patch(receipt, content, until - performance.now()));
        return receipt;
      } catch (error) {
        throw toSendError(error, `editing a page in ${receipt.chatId}`);
      }
    },
  };
}

/** A thread is a channel of its own. */
function roomOf({ chatId, threadId }: ChannelAddress): string {
  return threadId ?? chatId;
}

/** At most 25 characters (resources/message.mdx#create-message). */
function toNonce(token: string): string {
  return token.length <= 25 ? token : createHash('sha256').update(token).digest('base64url').slice(0, 25);
}

/** Compares what both say; a difference that is none costs an edit, no more. */
function isOther(message: z.infer<typeof posted>, content: DiscordContent): boolean {
  if (message.components.length !== content.components.length) return true;
  return wordsOf(message) !== wordsOf(posted.parse({ ...content, id: message.id }));
}

function wordsOf({ content, embeds }: z.infer<typeof posted>): string {
  const inEmbeds = embeds.flatMap(({ description, fields }) => [description, ...fields.map(({ value }) => value)]);
  return [content, ...inEmbeds].map((text) => text.trim()).join('\n');
}
