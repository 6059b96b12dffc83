import { isObject, type JsonObject } from '../json.ts';
import { checkButton, checkPlainTextInput, checkRichText } from './element-rules.ts';
import { type Complain, checkKeys, checkOptionalString, checkTextObject } from './text-rules.ts';

/** Slack refuses a message whose blocks are too long together (`msg_blocks_too_long`); the number is not documented. */
export const mostBlockText = 13_200;

const limits = { message: 50, modal: 100 } as const;

/**
 * Checks blocks as Slack does (docs.slack.dev/reference/block-kit/blocks).
 * @returns the faults in Slack's words, empty when all is well
 */
export function checkBlocks(blocks: unknown, surface: 'message' | 'modal'): readonly string[] {
  const faults: string[] = [];
  const complain: Complain = (message, pointer) => faults.push(`${message} [json-pointer:${pointer}]`);
  const root = surface === 'message' ? '/blocks' : '/view/blocks';
  if (!Array.isArray(blocks)) {
    complain('must be an array', root);
    return faults;
  }
  if (blocks.length > limits[surface]) complain(`no more than ${limits[surface]} items allowed`, root);
  const seen = new Set<string>();
  blocks.forEach((block: unknown, index) => {
    const at = `${root}/${index}`;
    if (!isObject(block)) {
      complain('must be an object', at);
      return;
    }
    checkBlock(block, at, surface, complain);
    const { block_id: id } = block;
    checkOptionalString(id, `${at}/block_id`, 255, complain);
    if (typeof id === 'string' && seen.has(id)) complain(`\`block_id\` ${id} already exists`, `${at}/block_id`);
    if (typeof id === 'string') seen.add(id);
  });
  return faults;
}

function checkBlock(block: JsonObject, at: string, surface: 'message' | 'modal', complain: Complain): void {
  const common = ['type', 'block_id'];
  switch (block.type) {
    case 'header':
      checkKeys(block, [...common, 'text'], at, complain);
      checkTextObject(block.text, `${at}/text`, { most: 150, plainOnly: true }, complain);
      break;
    case 'section':
      checkKeys(block, [...common, 'text', 'fields', 'accessory', 'expand'], at, complain);
      checkSection(block, at, complain);
      break;
    case 'context':
      checkKeys(block, [...common, 'elements'], at, complain);
      checkItems(block, at, 10, complain, (item, place) =>
        checkTextObject(item, place, { most: 3_000, plainOnly: false }, complain),
      );
      break;
    case 'actions':
      checkKeys(block, [...common, 'elements'], at, complain);
      checkActions(block, at, complain);
      break;
    case 'divider':
      checkKeys(block, common, at, complain);
      break;
    case 'rich_text':
      checkKeys(block, [...common, 'elements'], at, complain);
      checkRichText(block, at, complain);
      break;
    case 'input':
      if (surface === 'modal') checkInput(block, at, complain);
      else complain('unsupported type: input', `${at}/type`);
      break;
    default:
      complain(`unsupported type: ${String(block.type)}`, `${at}/type`);
  }
}

function checkSection(block: JsonObject, at: string, complain: Complain): void {
  const { text, fields } = block;
  if (text === undefined && fields === undefined) complain('missing required field: text', at);
  if (text !== undefined) checkTextObject(text, `${at}/text`, { most: 3_000, plainOnly: false }, complain);
  if (fields === undefined) return;
  if (!Array.isArray(fields) || fields.length > 10) complain('no more than 10 items allowed', `${at}/fields`);
  for (const [index, field] of (Array.isArray(fields) ? fields : []).entries()) {
    checkTextObject(field, `${at}/fields/${index}`, { most: 2_000, plainOnly: false }, complain);
  }
}

function checkActions(block: JsonObject, at: string, complain: Complain): void {
  const seen = new Set<string>();
  checkItems(block, at, 25, complain, (item, place) => {
    if (item.type !== 'button') {
      complain(`unsupported type: ${String(item.type)}`, `${place}/type`);
      return;
    }
    checkButton(item, place, complain);
    const { action_id: id } = item;
    if (typeof id !== 'string') return;
    if (seen.has(id)) complain(`\`action_id\` ${id} already exists`, `${place}/action_id`);
    seen.add(id);
  });
}

function checkInput(block: JsonObject, at: string, complain: Complain): void {
  checkKeys(block, ['type', 'block_id', 'label', 'element', 'hint', 'optional', 'dispatch_action'], at, complain);
  checkTextObject(block.label, `${at}/label`, { most: 2_000, plainOnly: true }, complain);
  const { element, hint } = block;
  if (hint !== undefined) checkTextObject(hint, `${at}/hint`, { most: 2_000, plainOnly: true }, complain);
  if (!isObject(element) || element.type !== 'plain_text_input') {
    complain('unsupported type', `${at}/element/type`);
    return;
  }
  checkPlainTextInput(element, `${at}/element`, complain);
}

function checkItems(
  block: JsonObject,
  at: string,
  most: number,
  complain: Complain,
  check: (item: JsonObject, place: string) => void,
): void {
  const items = Array.isArray(block.elements) ? block.elements : [];
  if (items.length === 0) complain('must have at least 1 item', `${at}/elements`);
  if (items.length > most) complain(`no more than ${most} items allowed`, `${at}/elements`);
  items.forEach((item: unknown, index) => {
    if (isObject(item)) check(item, `${at}/elements/${index}`);
    else complain('must be an object', `${at}/elements/${index}`);
  });
}
