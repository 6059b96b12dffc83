import { z } from 'zod';
import type { ChannelLog } from '../channel-log.ts';
import type { ChannelAddress, Receipt } from '../contract.ts';
import type { Page } from '../page.ts';
import { renderPage } from './render.ts';
import { isDoubtful, toSendError } from './send-errors.ts';
import type { Web } from './web.ts';

/** Posting and editing pages. */
export interface Posts {
  /** @throws SendError */
  post(page: Page, address: ChannelAddress): Promise<Receipt>;
  /** @throws SendError */
  edit(receipt: Receipt, page: Page): Promise<Receipt>;
}

const eventType = 'beckon_page';
/** How many tokens whose fate is in doubt are remembered. */
const mostDoubts = 1_000;

/** How far Slack's clock, which makes the message ids, may be behind ours. */
const clockSkewMs = 600_000;

const history = z.array(
  z.object({
    ts: z.string(),
    metadata: z
      .object({ event_type: z.literal(eventType), event_payload: z.object({ token: z.string() }) })
      .optional()
      .catch(undefined),
  }),
);

/**
 * Slack has no way to post only once: a connection that breaks after Slack took a post leaves us in doubt. Every message
 * therefore carries its page's token as metadata, and a page that may have been posted before (by a call that broke, or by
 * an earlier life of this process) is looked for in the channel first.
 */
export function createPosts(deps: {
  readonly web: Web;
  readonly sendMs: number;
  readonly log: ChannelLog;
  readonly startedAt: Date;
}): Posts {
  const { web, sendMs, log, startedAt } = deps;
  const doubts = new Set<string>();

  const edit = async (receipt: Receipt, page: Page, ms: number): Promise<Receipt> => {
    const { chatId: channel, messageId: ts } = receipt;
    const content = { ...renderPage(page), metadata: toMetadata(page), parse: 'none', link_names: false } as const;
    try {
      await web.call(ms, (client) => client.chat.update({ channel, ts, ...content }));
      return receipt;
    } catch (error) {
      throw toSendError(error, `editing a page in ${channel}`);
    }
  };

  /** The message of an earlier try; null when there is none or it cannot be known. */
  const find = async (page: Page, { chatId, threadId }: ChannelAddress, ms: number): Promise<Receipt | null> => {
    const oldest = String((page.askedAt.getTime() - clockSkewMs) / 1_000);
    const query = { channel: chatId, oldest, limit: 200, include_all_metadata: true };
    try {
      const found = await web.call(ms, ({ conversations }) =>
        threadId === undefined ? conversations.history(query) : conversations.replies({ ...query, ts: threadId }),
      );
      const messages = history.parse(found.messages ?? []);
      const ours = messages.find(({ metadata }) => metadata?.event_payload.token === page.token);
      if (ours === undefined) return null;
      return { chatId, messageId: ours.ts, ...(threadId === undefined ? {} : { threadId }) };
    } catch (error) {
      // Paging somebody twice is better than not at all.
      log.info({ channel: 'slack', err: error }, 'an earlier copy of a page could not be looked for');
      return null;
    }
  };

  const publish = async (page: Page, address: ChannelAddress, ms: number): Promise<Receipt> => {
    const { chatId, threadId } = address;
    const quiet = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;
    const thread = threadId === undefined ? {} : { thread_ts: threadId };
    const content = { ...renderPage(page), metadata: toMetadata(page), ...quiet, ...thread };
    try {
      const posted = await web.call(ms, (client) => client.chat.postMessage({ channel: chatId, ...content }));
      if (posted.ts === undefined) throw new Error('Slack took the page but did not say where it is');
      return { ...address, chatId: posted.channel ?? chatId, messageId: posted.ts };
    } catch (error) {
      if (isDoubtful(error)) {
        if (doubts.size >= mostDoubts) doubts.clear();
        doubts.add(page.token);
      }
      throw toSendError(error, `posting to ${chatId}`);
    }
  };

  return {
    async post(page, address) {
      const until = performance.now() + sendMs;
      if (doubts.has(page.token) || page.askedAt < startedAt) {
        const earlier = await find(page, address, sendMs / 3);
        if (earlier !== null) {
          const receipt = await edit(earlier, page, until - performance.now());
          doubts.delete(page.token);
          return receipt;
        }
      }
      const receipt = await publish(page, address, until - performance.now());
      doubts.delete(page.token);
      return receipt;
    },
    edit: (receipt, page) => edit(receipt, page, sendMs),
  };
}

function toMetadata(page: Page) {
  return { event_type: eventType, event_payload: { token: page.token } };
}
