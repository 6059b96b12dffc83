import { randomBytes } from 'node:crypto';
import type { DiscordMessage } from './guild.ts';

/** Deadlines of interactions/receiving-and-responding.mdx, in milliseconds of real time. */
export interface InteractionLimits {
  readonly ackMs: number;
  readonly tokenMs: number;
}
export const defaultInteractionLimits: InteractionLimits = { ackMs: 3_000, tokenMs: 15 * 60_000 };

/** One press or submitted form, and what the bot has said to it. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: 'component' | 'modal_submit';
  readonly personId: string;
  readonly channelId: string;
  /** The message that was pressed. */
  readonly source: DiscordMessage | null;
  readonly madeAtMs: number;
  acknowledged: boolean;
  /** What `@original` means. */
  original: DiscordMessage | null;
}

export interface Interactions {
  create(parts: Pick<Interaction, 'id' | 'kind' | 'personId' | 'channelId' | 'source'>): Interaction;
  find(id: string, token: string): Interaction | null;
  findByToken(token: string): Interaction | null;
  /** @returns why the first response is refused, or null when it was taken */
  acknowledge(interaction: Interaction): 'unknown' | 'repeated' | null;
  /** False once the token's 15 minutes are over. */
  isTokenAlive(interaction: Interaction): boolean;
  /** Resolves with true when the bot answered, with false when its time ran out. */
  whenAcknowledged(interaction: Interaction): Promise<boolean>;
  stop(): void;
}

export function createInteractions(limits: InteractionLimits, nowMs: () => number): Interactions {
  const all: Interaction[] = [];
  const waiting = new Map<Interaction, (acknowledged: boolean) => void>();
  const isOverdue = (interaction: Interaction) => nowMs() - interaction.madeAtMs > limits.ackMs;
  return {
    create(parts) {
      const token = `aW50ZXJhY3Rpb24${randomBytes(24).toString('base64url')}`;
      const interaction = { ...parts, token, madeAtMs: nowMs(), acknowledged: false, original: null };
      all.push(interaction);
      return interaction;
    },
    find: (id, token) => all.find((one) => one.id === id && one.token === token) ?? null,
    findByToken: (token) => all.find((one) => one.token === token) ?? null,
    acknowledge(interaction) {
      if (interaction.acknowledged) return 'repeated';
      if (isOverdue(interaction)) return 'unknown';
      interaction.acknowledged = true;
      waiting.get(interaction)?.(true);
      return null;
    },
    isTokenAlive: (interaction) => nowMs() - interaction.madeAtMs <= limits.tokenMs,
    whenAcknowledged(interaction) {
      return new Promise((resolve) => {
        const finish = (acknowledged: boolean) => {
          clearTimeout(timer);
          waiting.delete(interaction);
          resolve(acknowledged);
        };
        const timer = setTimeout(() => finish(false), limits.ackMs);
        waiting.set(interaction, finish);
        if (interaction.acknowledged) finish(true);
      });
    },
    stop() {
      for (const finish of [...waiting.values()]) finish(false);
    },
  };
}
