import type { Settings } from '../../../ledger/index.ts';
import type { Notice } from '../../guard/notices.ts';
import { FormToken } from '../../parts/form-token.tsx';
import { Frame, type FrameFacts, FrameParts } from '../../parts/frame.tsx';
import { NoticeLine } from '../../parts/notice.tsx';
import { toSpanText } from '../../parts/times.tsx';

const title = 'Settings';

const presets: readonly { readonly seconds: number; readonly title: string }[] = [
  { seconds: 900, title: '15 minutes' },
  { seconds: 3_600, title: '1 hour' },
  { seconds: 21_600, title: '6 hours' },
  { seconds: 86_400, title: '1 day' },
  { seconds: 259_200, title: '3 days' },
  { seconds: 604_800, title: '1 week' },
];

export function SettingsPage(props: {
  readonly facts: FrameFacts;
  readonly settings: Settings;
  readonly notice: Notice | null;
  /** What was sent and why it was not taken. */
  readonly fault: { readonly seconds: string; readonly text: string } | null;
}) {
  const { facts, settings, fault } = props;
  return (
    <Frame facts={facts} room="settings" title={title} live={{ from: '/parts/settings', ids: [], listen: 'seen' }}>
      <h1 class="heading">Settings</h1>
      <NoticeLine notice={props.notice} />
      <section class="panel panel-wide" aria-labelledby="ttl-heading">
        <h2 id="ttl-heading" class="panel-heading">
          How long a request stays open
        </h2>
        <p class="lead">
          If nobody answers in that time, it expires and the agent takes that as a no. Now it is{' '}
          <strong>{toSpanText(settings.ttlSeconds * 1_000)}</strong>. A change counts for requests from now on.
        </p>
        <form method="post" action="/settings">
          <FormToken session={facts.session} />
          <div class="presets">
            {presets.map((preset) => (
              <button
                type="submit"
                name="preset"
                value={preset.seconds}
                class="button preset"
                formNoValidate
                aria-current={preset.seconds === settings.ttlSeconds ? 'true' : undefined}
              >
                {preset.title}
              </button>
            ))}
          </div>
        </form>
        <form method="post" action="/settings" class="exact">
          <FormToken session={facts.session} />
          <label for="seconds" class="label">
            Or exactly, in seconds
          </label>
          <div class="inline">
            <input
              id="seconds"
              name="seconds"
              type="text"
              inputMode="numeric"
              autocomplete="off"
              value={fault === null ? String(settings.ttlSeconds) : fault.seconds}
              aria-invalid={fault === null ? undefined : 'true'}
              aria-describedby={fault === null ? 'seconds-hint' : 'seconds-fault seconds-hint'}
            />
            <button type="submit" class="button button-yes">
              Save
            </button>
          </div>
          {fault === null ? null : (
            <p id="seconds-fault" class="fault" role="alert">
              Not saved: {fault.text}
            </p>
          )}
          <p id="seconds-hint" class="hint">
            From 10 to 604,800 (a week).
          </p>
        </form>
      </section>
    </Frame>
  );
}

/** The form stays as it is: somebody may be writing in it. */
export function SettingsParts({ facts }: { readonly facts: FrameFacts }) {
  return <FrameParts facts={facts} title={title} />;
}
