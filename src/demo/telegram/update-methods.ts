import { toText } from '../json.ts';
import { toInteger } from './addressing.ts';
import { type Method, refuse } from './method.ts';

/** The webhook of the bot; while one is set, polls are refused. Nothing is ever delivered to it. */
export interface Webhook {
  url: string;
}

export function createUpdateMethods(webhook: Webhook): Readonly<Record<string, Method>> {
  const getUpdates: Method = async (args, { updates }, ended) => {
    if (webhook.url !== '') {
      return refuse(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    const end = await updates.poll(
      {
        offset: toInteger(args.offset) ?? 0,
        limit: Math.min(Math.max(toInteger(args.limit) ?? 100, 1), 100),
        timeoutSeconds: Math.max(toInteger(args.timeout) ?? 0, 0),
        allowed: readAllowed(args.allowed_updates),
      },
      ended,
    );
    switch (end.kind) {
      case 'updates':
        return { result: end.updates };
      case 'conflict':
        return refuse(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        );
      case 'webhook':
        return refuse(409, 'Conflict: terminated by setWebhook request');
      case 'unauthorized':
      case 'gone':
        return refuse(401, 'Unauthorized');
    }
  };

  const setWebhook: Method = (args, { updates }) => {
    const url = toText(args.url);
    if (url !== '' && !url.startsWith('https://')) {
      return refuse(400, 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook', { violates: true });
    }
    webhook.url = url;
    if (url !== '') updates.end('webhook');
    if (isTrue(args.drop_pending_updates)) updates.drop();
    return { result: true };
  };

  return {
    getUpdates,
    setWebhook,
    deleteWebhook: (args, context, ended) => setWebhook({ ...args, url: '' }, context, ended),
    getWebhookInfo: (_args, { updates }) => ({
      result: { url: webhook.url, has_custom_certificate: false, pending_update_count: updates.pending().length },
    }),
  };
}

function readAllowed(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  return value.map(toText);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 'True' || value === '1';
}
