/** A JSON object that nobody has checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
