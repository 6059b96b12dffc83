import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { SendError, type SendFate } from '../contract.ts';
import { scrub } from './log.ts';

/**
 * What Slack's errors mean for us (docs.slack.dev/reference/methods/chat.postMessage#errors, …/chat.update#errors).
 * `edit_window_closed` and `cant_update_message` leave a message that nobody can bring up to date: a pending page is
 * posted again, and a press on the old one is judged as late.
 */
const fates: Readonly<Record<string, SendFate['kind']>> = {
  message_not_found: 'gone',
  cant_update_message: 'gone',
  edit_window_closed: 'gone',
  channel_not_found: 'dead',
  is_archived: 'dead',
  not_in_channel: 'dead',
  restricted_action: 'dead',
  restricted_action_read_only_channel: 'dead',
  restricted_action_thread_only_channel: 'dead',
  restricted_action_non_threadable_channel: 'dead',
  cannot_reply_to_message: 'dead',
  messages_tab_disabled: 'dead',
  user_not_found: 'dead',
  invalid_auth: 'misconfigured',
  not_authed: 'misconfigured',
  account_inactive: 'misconfigured',
  token_revoked: 'misconfigured',
  token_expired: 'misconfigured',
  no_permission: 'misconfigured',
  missing_scope: 'misconfigured',
  not_allowed_token_type: 'misconfigured',
  access_denied: 'misconfigured',
  team_access_not_granted: 'misconfigured',
  org_login_required: 'misconfigured',
  ekm_access_denied: 'misconfigured',
  user_removed_from_team: 'misconfigured',
  team_disabled: 'misconfigured',
  // A page that Slack refuses will be refused again: an operator has to see it.
  invalid_blocks: 'misconfigured',
  invalid_blocks_format: 'misconfigured',
  msg_blocks_too_long: 'misconfigured',
  msg_too_long: 'misconfigured',
};

const advice: Readonly<Record<string, string>> = {
  channel_not_found: 'the channel does not exist or the bot may not see it: check the id and invite the bot',
  is_archived: 'the channel is archived: unarchive it or choose another',
  not_in_channel: 'the bot is not in the channel: /invite it there',
  invalid_auth: 'Slack does not accept the token: copy it again from the app settings',
  not_authed: 'Slack got no token: set it again',
  account_inactive: 'the app was removed from the workspace: install it again',
  token_revoked: 'the token was revoked: install the app again and copy the new one',
  missing_scope: 'the app lacks a permission: add the scopes of the manual and install it again',
  not_allowed_token_type: 'the bot token and the app token are mixed up: xoxb- is the bot, xapp- the app',
};

/** Reads what went wrong with a call as a fate for the engine. */
export function toSendError(error: unknown, doing: string): SendError {
  if (error instanceof SendError) return error;
  if (error instanceof WebAPIRateLimitedError) {
    const afterMs = error.retryAfter * 1_000;
    return new SendError({ kind: 'retry', afterMs }, `${doing}: Slack asks to wait ${error.retryAfter} s`, {
      cause: error,
    });
  }
  if (error instanceof WebAPIPlatformError) {
    const code = String(error.data.error);
    const kind = fates[code] ?? 'retry';
    const detail = error.data.response_metadata?.messages?.join('; ');
    const text = `${doing}: ${advice[code] ?? `Slack says ${code.slice(0, 80)}`}${detail ? ` (${detail.slice(0, 300)})` : ''}`;
    return new SendError(toFate(kind), scrub(text), { cause: error });
  }
  const what = describe(error);
  return new SendError({ kind: 'retry', afterMs: null }, scrub(`${doing}: ${what}`), { cause: error });
}

/** True when Slack may have done what was asked although the call failed. */
export function isDoubtful(error: unknown): boolean {
  if (error instanceof WebAPIPlatformError || error instanceof WebAPIRateLimitedError) return false;
  if (error instanceof WebAPIHTTPError) return error.statusCode >= 500;
  if (error instanceof WebAPIRequestError) return !isRefusedConnection(error.original);
  return true;
}

function describe(error: unknown): string {
  if (error instanceof WebAPIHTTPError) return `Slack answered with HTTP ${error.statusCode}`;
  if (error instanceof WebAPIRequestError) return `Slack could not be reached (${codeOf(error.original)})`;
  return error instanceof Error ? error.message : String(error);
}

/** `ECONNREFUSED` and the like, from under what `fetch` throws; else the message. */
function codeOf({ cause, message }: Error): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : message;
}

function isRefusedConnection(error: Error): boolean {
  const code = codeOf(error);
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

function toFate(kind: SendFate['kind']): SendFate {
  switch (kind) {
    case 'gone':
    case 'dead':
    case 'misconfigured':
      return { kind };
    default:
      return { kind: 'retry', afterMs: null };
  }
}
