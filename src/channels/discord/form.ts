import { type APIModalInteractionResponseCallbackData, ComponentType, TextInputStyle } from 'discord.js';
import { toCustomId } from './custom-id.ts';

/** Beckon's cap on free text, in code points; Discord's field takes up to 4,000 of its own. */
const mostWords = 4_000;

/** The one field of a form. */
export const wordsField = 'words';

/** The form a person writes in: a reason to deny, or an answer in free text. */
export function renderForm(form: 'deny' | 'text', token: string): APIModalInteractionResponseCallbackData {
  const deny = form === 'deny';
  return {
    custom_id: toCustomId(token, { kind: 'compose', form }),
    title: deny ? 'Deny with a reason' : 'Write an answer',
    components: [
      {
        type: ComponentType.Label,
        label: deny ? 'Reason' : 'Your answer',
        description: 'The agent gets this word for word.',
        component: {
          type: ComponentType.TextInput,
          custom_id: wordsField,
          style: TextInputStyle.Paragraph,
          min_length: 1,
          max_length: mostWords,
          required: true,
        },
      },
    ],
  };
}
