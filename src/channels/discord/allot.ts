/** A text that wants room. */
export interface Wish {
  readonly wants: number;
  /** What it gets even if others want everything. */
  readonly least: number;
}

/**
 * Shares `total` out: everybody's least first, then the rest in the order given. Nobody gets more than it wants.
 * The sum of the leasts must fit.
 */
export function allot(total: number, wishes: readonly Wish[]): number[] {
  const shares = wishes.map(({ wants, least }) => Math.min(wants, least));
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  return wishes.map(({ wants }, index) => {
    const share = shares[index] ?? 0;
    const extra = Math.max(0, Math.min(left, wants - share));
    left -= extra;
    return share + extra;
  });
}
