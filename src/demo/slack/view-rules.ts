import type { JsonObject } from '../json.ts';
import { checkBlocks } from './block-rules.ts';
import { type Complain, checkKeys, checkOptionalString, checkTextObject } from './text-rules.ts';

const allowed = [
  'type',
  'title',
  'blocks',
  'close',
  'submit',
  'private_metadata',
  'callback_id',
  'clear_on_close',
  'notify_on_close',
  'external_id',
  'submit_disabled',
];

/** Checks a modal as `views.open` does (docs.slack.dev/reference/views/modal-views). */
export function checkView(view: JsonObject): readonly string[] {
  const faults: string[] = [];
  const complain: Complain = (message, pointer) => faults.push(`${message} [json-pointer:${pointer}]`);
  if (view.type !== 'modal') complain('must be a valid enum value: modal', '/view/type');
  checkKeys(view, allowed, '/view', complain);
  checkTextObject(view.title, '/view/title', { most: 24, plainOnly: true }, complain);
  for (const name of ['close', 'submit']) {
    if (view[name] !== undefined) {
      checkTextObject(view[name], `/view/${name}`, { most: 24, plainOnly: true }, complain);
    }
  }
  checkOptionalString(view.private_metadata, '/view/private_metadata', 3_000, complain);
  checkOptionalString(view.callback_id, '/view/callback_id', 255, complain);
  const blocks = view.blocks;
  const hasInput = Array.isArray(blocks) && blocks.some((block) => block?.type === 'input');
  if (hasInput && view.submit === undefined) complain('submit is required when an input is in the blocks', '/view');
  return [...faults, ...checkBlocks(blocks, 'modal')];
}
