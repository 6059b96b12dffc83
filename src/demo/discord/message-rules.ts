import { isObject, type JsonObject, toObject, toText } from '../json.ts';
import { checkComponents } from './component-rules.ts';
import { checkText, type FormFaults } from './form-faults.ts';

/** Over all embeds of a message (resources/message.mdx#embed-object-embed-limits). */
const mostEmbedText = 6_000;

/** Checks a message body as `POST` and `PATCH …/messages` do. */
export function checkMessage(faults: FormFaults, body: JsonObject): void {
  checkText(faults, 'content', body.content, { most: 2_000 });
  if (body.nonce !== undefined) checkText(faults, 'nonce', String(body.nonce), { most: 25 });
  checkEmbeds(faults, body.embeds);
  checkComponents(faults, 'components', body.components);
  checkAllowedMentions(faults, body.allowed_mentions);
}

/** True when a new message with this body would show nothing (code 50006). */
export function isEmptyMessage(body: JsonObject): boolean {
  const none = (value: unknown) => !Array.isArray(value) || value.length === 0;
  return toText(body.content).trim() === '' && none(body.embeds) && none(body.components);
}

function checkEmbeds(faults: FormFaults, value: unknown): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value) || value.length > 10) {
    faults.add('embeds', 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
    return;
  }
  let total = 0;
  value.forEach((embed: unknown, index) => {
    const at = `embeds.${index}`;
    if (!isObject(embed)) {
      faults.add(at, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
      return;
    }
    checkText(faults, `${at}.title`, embed.title, { most: 256 });
    checkText(faults, `${at}.description`, embed.description, { most: 4_096 });
    const { footer, author, fields, url, color } = embed;
    if (footer !== undefined) checkText(faults, `${at}.footer.text`, toObject(footer).text, { least: 1, most: 2_048 });
    if (author !== undefined) checkText(faults, `${at}.author.name`, toObject(author).name, { least: 1, most: 256 });
    if (url !== undefined && !/^https?:\/\//.test(toText(url))) {
      faults.add(`${at}.url`, 'URL_TYPE_INVALID_SCHEME', 'Scheme must be one of (http, https).');
    }
    if (color !== undefined && (typeof color !== 'number' || color < 0 || color > 0xffffff)) {
      faults.add(`${at}.color`, 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 16777215.');
    }
    checkFields(faults, `${at}.fields`, fields);
    total += countEmbedText(embed);
  });
  if (total > mostEmbedText) {
    faults.add('embeds', 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${mostEmbedText}`);
  }
}

function checkFields(faults: FormFaults, path: string, value: unknown): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.length > 25) {
    faults.add(path, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
    return;
  }
  value.forEach((field: unknown, index) => {
    const { name, value: text } = toObject(field);
    checkText(faults, `${path}.${index}.name`, name, { least: 1, most: 256 });
    checkText(faults, `${path}.${index}.value`, text, { least: 1, most: 1_024 });
  });
}

/** What counts towards the limit: title, description, field names and values, footer text and author name. */
function countEmbedText(embed: JsonObject): number {
  const length = (value: unknown) => toText(value).trim().length;
  const fields = Array.isArray(embed.fields) ? embed.fields.map(toObject) : [];
  return (
    length(embed.title) +
    length(embed.description) +
    length(toObject(embed.footer).text) +
    length(toObject(embed.author).name) +
    fields.reduce((sum, field) => sum + length(field.name) + length(field.value), 0)
  );
}

function checkAllowedMentions(faults: FormFaults, value: unknown): void {
  if (value === undefined || value === null) return;
  const { parse, users, roles } = toObject(value);
  const kinds = Array.isArray(parse) ? parse : [];
  if (kinds.some((kind) => !['users', 'roles', 'everyone'].includes(toText(kind)))) {
    faults.add('allowed_mentions.parse', 'BASE_TYPE_CHOICES', "Value must be one of ('users', 'roles', 'everyone').");
  }
  for (const [name, list] of [['users', users] as const, ['roles', roles] as const]) {
    if (Array.isArray(list) && list.length > 0 && kinds.includes(name)) {
      faults.add(
        'allowed_mentions',
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${name}"] and ${name}: [ids...] are mutually exclusive.`,
      );
    }
  }
}
