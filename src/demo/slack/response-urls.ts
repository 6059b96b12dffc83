import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { readContent } from './chat-methods.ts';
import { bot, type SlackMessage, type Workspace } from './workspace.ts';

/** A response_url takes 5 posts within 30 minutes (docs.slack.dev/interactivity/handling-user-interaction). */
const mostUses = 5;
const lifeMs = 1_800_000;

export interface ResponseUrls {
  issue(userId: string, message: SlackMessage): string;
  /** @returns HTTP status and body */
  use(key: string, body: JsonObject): { readonly status: number; readonly body: string };
}

export function createResponseUrls(workspace: Workspace, nowMs: () => number): ResponseUrls {
  const issued = new Map<string, { userId: string; message: SlackMessage; at: number; left: number }>();
  return {
    issue(userId, message) {
      const key = randomUUID();
      issued.set(key, { userId, message, at: nowMs(), left: mostUses });
      return `/actions/${key}`;
    },
    use(key, body) {
      const row = issued.get(key);
      if (row === undefined) return { status: 404, body: '{"ok":false,"error":"invalid_url"}' };
      if (row.left === 0) return { status: 404, body: '{"ok":false,"error":"used_url"}' };
      if (nowMs() - row.at > lifeMs) return { status: 404, body: '{"ok":false,"error":"expired_url"}' };
      row.left -= 1;
      if (body.delete_original === true) {
        workspace.remove(row.message);
        return { status: 200, body: 'ok' };
      }
      const content = readContent(body, { workspace });
      if ('ok' in content) return { status: 400, body: JSON.stringify(content) };
      const base = { channel: row.message.channel, author: bot.userId, metadata: null, ...content };
      if (body.replace_original === true) workspace.edit(row.message, content);
      else if (body.response_type === 'in_channel') workspace.post(base);
      else workspace.note(row.userId, workspace.draw({ ...base, ts: '0', edited: false }).text);
      return { status: 200, body: 'ok' };
    },
  };
}
