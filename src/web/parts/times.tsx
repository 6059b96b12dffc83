/** Below this much the time left is shown as pressing. */
const shortMs = 5 * 60_000;

/** `5 h 12 min left`; `public/live.js` says it again every second, in the same words. */
export function toLeftText(leftMs: number): string {
  return leftMs <= 0 ? 'time is up' : `${toSpanText(leftMs)} left`;
}

export function toAgeText(ageMs: number): string {
  return ageMs < 60_000 ? 'just now' : `${toSpanText(ageMs)} ago`;
}

/** `2 d 3 h`, `5 h 12 min`, `12 min`, `45 s`: the two largest units. */
export function toSpanText(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

/** `1 Dec 2026, 14:02 UTC`: people in several time zones look at one page. */
export function toClockText(at: Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return `${day.format(at)}, ${at.toISOString().slice(11, 16)} UTC`;
}

export function Clock({ at }: { readonly at: Date }) {
  return <time dateTime={at.toISOString()}>{toClockText(at)}</time>;
}

export function Age({ at, now }: { readonly at: Date; readonly now: Date }) {
  return (
    <time dateTime={at.toISOString()} title={toClockText(at)} data-age={at.getTime()}>
      {toAgeText(now.getTime() - at.getTime())}
    </time>
  );
}

/** How long people still have. */
export function TimeLeft({ until, now }: { readonly until: Date; readonly now: Date }) {
  const leftMs = until.getTime() - now.getTime();
  const look = leftMs < shortMs ? 'time-left time-short' : 'time-left';
  return (
    <time class={look} dateTime={until.toISOString()} title={`until ${toClockText(until)}`} data-left={until.getTime()}>
      {toLeftText(leftMs)}
    </time>
  );
}
