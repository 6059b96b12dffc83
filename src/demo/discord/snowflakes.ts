/** The first second of 2015, from which Discord's ids count (reference#snowflakes). */
const epochMs = 1_420_070_400_000n;

/** Makes ids that rise and hold their time of birth. */
export function createSnowflakes(now: () => Date): () => string {
  let last = 0n;
  return () => {
    const wanted = (BigInt(now().getTime()) - epochMs) << 22n;
    last = wanted > last ? wanted : last + 1n;
    return String(last);
  };
}
