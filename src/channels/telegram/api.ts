import { Telegram } from 'telegraf';
import type { TelegramConfig } from './config.ts';

/** Calls of the Bot API through telegraf's client, each with a deadline of its own. */
export interface Api {
  /**
   * @param stop ends the call early
   * @throws TelegramError as the platform said it; DeadlineError; FetchError when the platform cannot be reached
   */
  call<T>(method: string, payload: object, timeoutMs: number, stop?: AbortSignal): Promise<T>;
}

/** Telegram took too long: whether the call was done is not known. */
export class DeadlineError extends Error {
  constructor(method: string, timeoutMs: number) {
    super(`Telegram did not answer ${method} within ${timeoutMs / 1_000} s`);
    this.name = 'DeadlineError';
  }
}

type CallApi = (method: string, payload: object, options: { readonly signal: AbortSignal }) => Promise<unknown>;

export function createApi({ token, apiUrl }: TelegramConfig): Api {
  // telegraf drops the path of a root without a trailing slash.
  const root = apiUrl === undefined ? {} : { apiRoot: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` };
  const telegram = new Telegram(token, root);
  // telegraf's types know only the methods of Bot API 7.1 and the signal of a polyfill.
  const callApi = telegram.callApi.bind(telegram) as unknown as CallApi;
  return {
    async call<T>(method: string, payload: object, timeoutMs: number, stop?: AbortSignal) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
      try {
        return (await callApi(method, payload, { signal })) as T;
      } catch (error) {
        if (deadline.aborted && stop?.aborted !== true) throw new DeadlineError(method, timeoutMs);
        throw error;
      }
    },
  };
}
