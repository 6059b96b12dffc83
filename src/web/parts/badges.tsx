import type { DangerLevel, RequestStatus } from '../../ledger/index.ts';
import { toPlainVisible } from './agent-text.tsx';
import { dangerWords, statusWords } from './words.ts';

/** Danger in words and colour. Nothing where the agent said nothing. */
export function Danger({ level }: { readonly level: DangerLevel | null }) {
  return level === null ? null : <span class={`badge danger-${level}`}>{dangerWords[level]}</span>;
}

export function Status({ status }: { readonly status: RequestStatus }) {
  return <span class={`badge status-${status}`}>{statusWords[status]}</span>;
}

/** The asking instance by the label it gave itself. */
export function InstanceLabel({ label }: { readonly label: string }) {
  return (
    <span class="instance" title="the agent that asks, by the label it gave itself">
      <bdi>{toPlainVisible(label)}</bdi>
    </span>
  );
}
