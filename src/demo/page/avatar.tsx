/** Initials on a colour that goes with the name: the same person looks the same in every chat. */
export function Avatar(props: { readonly name: string; readonly app: boolean }) {
  const initials = props.name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('');
  const hue = [...props.name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6;
  return (
    <span class={props.app ? 'avatar avatar-app' : `avatar avatar-${hue}`} aria-hidden="true">
      {props.app ? <AppSign /> : initials}
    </span>
  );
}

/** Beckon's own sign, as in its icon. */
function AppSign() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" role="presentation">
      <circle cx="11" cy="21" r="3.4" fill="currentColor" />
      <path
        d="M11 13.2a7.8 7.8 0 0 1 7.8 7.8M11 7.6A13.4 13.4 0 0 1 24.4 21"
        fill="none"
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}
