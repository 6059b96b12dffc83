import { isObject, type JsonObject } from '../json.ts';
import { type Complain, checkKeys, checkOptionalString, checkString, checkTextObject } from './text-rules.ts';

/** Limits of block elements: docs.slack.dev/reference/block-kit/block-elements. */
export function checkButton(button: JsonObject, at: string, complain: Complain): void {
  checkKeys(
    button,
    ['type', 'text', 'action_id', 'url', 'value', 'style', 'confirm', 'accessibility_label'],
    at,
    complain,
  );
  checkTextObject(button.text, `${at}/text`, { most: 75, plainOnly: true }, complain);
  checkOptionalString(button.action_id, `${at}/action_id`, 255, complain);
  checkOptionalString(button.value, `${at}/value`, 2_000, complain);
  checkOptionalString(button.url, `${at}/url`, 3_000, complain);
  checkOptionalString(button.accessibility_label, `${at}/accessibility_label`, 75, complain);
  const { url, style, confirm } = button;
  if (typeof url === 'string' && !/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(url))
    complain('must be a valid URL', `${at}/url`);
  if (style !== undefined && style !== 'primary' && style !== 'danger') {
    complain('must be a valid enum value', `${at}/style`);
  }
  if (confirm !== undefined) checkConfirmation(confirm, `${at}/confirm`, complain);
}

export function checkPlainTextInput(element: JsonObject, at: string, complain: Complain): void {
  const allowed = ['type', 'action_id', 'placeholder', 'initial_value', 'multiline', 'min_length', 'max_length'];
  checkKeys(element, [...allowed, 'focus_on_load', 'dispatch_action_config'], at, complain);
  checkOptionalString(element.action_id, `${at}/action_id`, 255, complain);
  const { max_length: most, placeholder } = element;
  if (most !== undefined && (typeof most !== 'number' || most < 1 || most > 3_000)) {
    complain('must be between 1 and 3000', `${at}/max_length`);
  }
  if (placeholder !== undefined) {
    checkTextObject(placeholder, `${at}/placeholder`, { most: 150, plainOnly: true }, complain);
  }
}

function checkConfirmation(confirm: unknown, at: string, complain: Complain): void {
  if (!isObject(confirm)) {
    complain('must be an object', at);
    return;
  }
  checkKeys(confirm, ['title', 'text', 'confirm', 'deny', 'style'], at, complain);
  checkTextObject(confirm.title, `${at}/title`, { most: 100, plainOnly: true }, complain);
  checkTextObject(confirm.text, `${at}/text`, { most: 300, plainOnly: false }, complain);
  checkTextObject(confirm.confirm, `${at}/confirm`, { most: 30, plainOnly: true }, complain);
  checkTextObject(confirm.deny, `${at}/deny`, { most: 30, plainOnly: true }, complain);
}

/** Rich text: docs.slack.dev/reference/block-kit/blocks/rich-text-block. */
export function checkRichText(block: JsonObject, at: string, complain: Complain): void {
  const sections = Array.isArray(block.elements) ? block.elements : [];
  if (sections.length === 0) complain('must have at least 1 item', `${at}/elements`);
  sections.forEach((section: unknown, index) => {
    const place = `${at}/elements/${index}`;
    const type = isObject(section) ? section.type : undefined;
    if (!isObject(section) || !richContainers.includes(String(type))) {
      complain(`unsupported type: ${String(type)}`, place);
      return;
    }
    const items = Array.isArray(section.elements) ? section.elements : [];
    if (type === 'rich_text_list') {
      checkRichText(section, place, complain);
      return;
    }
    items.forEach((item: unknown, at) => {
      const kind = isObject(item) ? item.type : undefined;
      if (!isObject(item) || !richLeaves.includes(String(kind))) {
        complain(`unsupported type: ${String(kind)}`, `${place}/elements/${at}`);
      } else if (kind === 'text') {
        checkString(item.text, `${place}/elements/${at}/text`, 1, 3_000, complain);
      }
    });
  });
}

const richContainers = ['rich_text_section', 'rich_text_quote', 'rich_text_preformatted', 'rich_text_list'];
const richLeaves = ['text', 'link', 'emoji', 'user', 'usergroup', 'channel', 'broadcast', 'date'];
