import type { ComponentChildren } from 'preact';

/** The address of a link when it is one people may follow: a path on this site, http or https. Else null. */
export function safeLink(href: string): string | null {
  if (/[\\\u0000-\u0020\u007f]/.test(href)) return null;
  if (href.startsWith('/') && !href.startsWith('//')) return href;
  if (!URL.canParse(href)) return null;
  const { protocol } = new URL(href);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** Every link of the dashboard. An address that may not be followed is shown as text. */
export function Link(props: {
  readonly to: string;
  readonly id?: string;
  readonly class?: string;
  readonly current?: 'page' | undefined;
  readonly children: ComponentChildren;
}) {
  const href = safeLink(props.to);
  if (href === null) return <span class={props.class}>{props.children}</span>;
  return (
    <a href={href} id={props.id} class={props.class} aria-current={props.current}>
      {props.children}
    </a>
  );
}
