import { TelegramError } from 'telegraf';
import { SendError, type SendFate } from '../contract.ts';

/** True when an edit failed only because the message already looks like that. */
export function isNotModified(error: unknown): boolean {
  return error instanceof TelegramError && error.description.includes('message is not modified');
}

/** What a failed call means. Sources: the error strings of telegram-bot-api's Client.cpp. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  if (!(error instanceof TelegramError)) {
    const why = error instanceof Error ? error.message : String(error);
    return new SendError({ kind: 'retry', afterMs: null }, `Telegram could not be reached: ${scrub(why)}`, {
      cause: error,
    });
  }
  return new SendError(fateOf(error), `Telegram said: ${error.description} (${error.code})`, { cause: error });
}

function fateOf(error: TelegramError): SendFate {
  const { code, description, parameters } = error;
  if (code === 429) return { kind: 'retry', afterMs: (parameters?.retry_after ?? 5) * 1_000 };
  const moved = parameters?.migrate_to_chat_id;
  if (moved !== undefined) return { kind: 'moved', chatId: String(moved) };
  if (code === 401 || code === 404) return { kind: 'misconfigured' };
  if (code === 403) return { kind: 'dead' };
  if (code === 400) return fateOfBadRequest(description);
  return { kind: 'retry', afterMs: null };
}

function fateOfBadRequest(description: string): SendFate {
  if (/message to edit not found|MESSAGE_ID_INVALID|message can't be edited/.test(description)) return { kind: 'gone' };
  if (
    /chat not found|group chat was deactivated|PEER_ID_INVALID|CHAT_WRITE_FORBIDDEN|message thread not found/.test(
      description,
    )
  ) {
    return { kind: 'dead' };
  }
  if (/not enough rights|have no rights|need administrator rights|TOPIC_CLOSED/.test(description))
    return { kind: 'misconfigured' };
  return { kind: 'retry', afterMs: null };
}

/** Blots out a token, which is part of every address of the Bot API. */
export function scrub(text: string): string {
  return text.replaceAll(/bot\d+:[\w-]+/g, 'bot…');
}
