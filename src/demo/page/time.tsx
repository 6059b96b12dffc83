/** `14:02`, in the time zone of this machine, which is the viewer's too. */
export function clockTime(at: Date): string {
  return at.toTimeString().slice(0, 5);
}

export function Time({ at, text }: { readonly at: Date; readonly text?: string }) {
  return (
    <time class="at" dateTime={at.toISOString()}>
      {text ?? clockTime(at)}
    </time>
  );
}
