/** The account that a `tg://user?id=…` link names. */
export function userOfLink(url: string): number | null {
  const match = /^tg:(?:\/\/)?user\?id=(\d{1,16})(?:&|$)/i.exec(url);
  return match === null ? null : Number(match[1]);
}

/**
 * The link as the server keeps it; null: "Wrong HTTP URL". Only hosts with a dot that could be on the internet pass
 * (td's LinkManager; the strictest reading for addresses of this machine).
 */
export function checkLink(url: string): string | null {
  const text = url.trim();
  if (/^(tg|ton|tonsite):/i.test(text)) return text;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return null;
  const { protocol, hostname } = new URL(full);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  if (!hostname.includes('.') || hostname.endsWith('.') || /^127\.|^0\.|\.localhost$/.test(hostname)) return null;
  return full;
}
