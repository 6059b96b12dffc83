import { isObject, type JsonObject } from '../json.ts';
import { checkText, type FormFaults } from './form-faults.ts';

export const componentTypes = { row: 1, button: 2, textInput: 4, label: 18 } as const;
export const linkStyle = 5;

/** Rows of buttons as a message takes them (components/reference.mdx): 5 rows of 5, custom ids unique in the message. */
export function checkComponents(faults: FormFaults, path: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) {
    faults.add(path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
    return;
  }
  if (value.length > 5) faults.add(path, 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 5 in length.');
  const seen = new Set<unknown>();
  value.forEach((row: unknown, index) => {
    const at = `${path}.${index}`;
    if (!isObject(row) || row.type !== componentTypes.row) {
      faults.add(`${at}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).');
      return;
    }
    const inRow = Array.isArray(row.components) ? row.components : [];
    if (inRow.length < 1 || inRow.length > 5) {
      faults.add(`${at}.components`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
    }
    inRow.forEach((button: unknown, place) => {
      if (isObject(button)) checkButton(faults, `${at}.components.${place}`, button, seen);
      else
        faults.add(`${at}.components.${place}`, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
    });
  });
}

function checkButton(faults: FormFaults, at: string, button: JsonObject, seen: Set<unknown>): void {
  const { type, style, custom_id: id, url, label, emoji } = button;
  if (type !== componentTypes.button) {
    faults.add(`${at}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (2,).');
    return;
  }
  if (typeof style !== 'number' || style < 1 || style > linkStyle) {
    faults.add(`${at}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of (1, 2, 3, 4, 5).');
  }
  checkText(faults, `${at}.label`, label, { least: emoji === undefined ? 1 : 0, most: 80 });
  if (style === linkStyle) {
    if (id !== undefined)
      faults.add(
        at,
        'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
        'A custom id and url cannot both be specified',
      );
    checkText(faults, `${at}.url`, url, { least: 1, most: 512 });
    if (typeof url === 'string' && !isLink(url)) {
      faults.add(`${at}.url`, 'URL_TYPE_INVALID_SCHEME', 'Scheme must be one of (http, https, discord).');
    }
    return;
  }
  if (url !== undefined)
    faults.add(at, 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE', 'A custom id and url cannot both be specified');
  checkText(faults, `${at}.custom_id`, id, { least: 1, most: 100 });
  if (seen.has(id))
    faults.add(`${at}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
  seen.add(id);
}

function isLink(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:', 'discord:'].includes(new URL(url).protocol);
}
