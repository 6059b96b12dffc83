/**
 * The text of a response, or null when it has more than `mostBytes` (after unpacking): then the rest is not read. Whatever
 * answers at an address may send without end.
 */
export async function readCapped({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    length += value.byteLength;
    if (length > mostBytes) {
      // It closes the connection; what went wrong on a connection that is given up matters to nobody.
      await reader.cancel().catch(() => {});
      return null;
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}
