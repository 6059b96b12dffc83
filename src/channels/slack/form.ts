import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { ChannelAddress } from '../contract.ts';
import { actions } from './buttons.ts';
import { plain } from './text.ts';

/** Beckon's cap on free text, in code points; Slack's field takes up to 3,000 of its own characters. */
const mostWords = 3_000;

/** What a form belongs to; travels in `private_metadata`. */
export interface FormOrigin {
  readonly token: string;
  readonly address: ChannelAddress;
}

export const formFields = { block: 'beckon', input: 'words' } as const;

/** The form a person writes in: a reason to deny, or an answer in free text. */
export function renderForm(kind: 'deny' | 'text', origin: FormOrigin): types.ModalView {
  const deny = kind === 'deny';
  return {
    type: 'modal',
    callback_id: deny ? actions.denyWithReason : actions.write,
    private_metadata: JSON.stringify({ token: origin.token, ...origin.address }),
    title: plain(deny ? 'Deny with a reason' : 'Write an answer'),
    submit: plain(deny ? 'Deny' : 'Send'),
    close: plain('Back'),
    blocks: [
      {
        type: 'input',
        block_id: formFields.block,
        label: plain(deny ? 'Reason' : 'Your answer'),
        hint: plain('The agent gets this word for word.'),
        element: { type: 'plain_text_input', action_id: formFields.input, multiline: true, max_length: mostWords },
      },
    ],
  };
}

const metadata = z.object({ token: z.string().min(1), chatId: z.string(), threadId: z.string().optional() });

/** @returns null when it is not the metadata of a form of ours */
export function parseFormOrigin(text: string): FormOrigin | null {
  try {
    const { token, chatId, threadId } = metadata.parse(JSON.parse(text));
    return { token, address: { chatId, ...(threadId === undefined ? {} : { threadId }) } };
  } catch {
    return null;
  }
}
