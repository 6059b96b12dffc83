import type { ComponentChildren } from 'preact';

/** htmx without eval, without styles of its own and without scripts in what it swaps: the policy would refuse them anyway. */
const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyEnabled: false,
  selfRequestsOnly: true,
});

/** The shell of every page, signed in or not. */
export function Document(props: {
  readonly title: string;
  readonly urlOf: (file: 'app.css' | 'htmx.min.js' | 'live.js' | 'beckon.svg') => string;
  /** Present on live pages: their scripts tell time by the server's clock. */
  readonly now?: Date;
  readonly children: ComponentChildren;
}) {
  const { urlOf, now } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{props.title}</title>
        <link rel="icon" type="image/svg+xml" href={urlOf('beckon.svg')} />
        <link rel="stylesheet" href={urlOf('app.css')} />
        {now === undefined ? null : (
          <>
            <meta name="beckon-now" content={String(now.getTime())} />
            <meta name="htmx-config" content={htmxConfig} />
            <script src={urlOf('htmx.min.js')} defer />
            <script src={urlOf('live.js')} defer />
          </>
        )}
      </head>
      <body>{props.children}</body>
    </html>
  );
}
