import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/**
 * Shows a closed schema in `tools/list` and lets every argument through to the tool, which parses them itself: the SDK's
 * own validation cannot speak our errors (`[invalid_payload] options.4: at most 4 options`).
 */
export function advertise(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  const { jsonSchema } = schema['~standard'];
  return { '~standard': { version: 1, vendor: 'beckon', jsonSchema, validate: (value) => ({ value }) } };
}
