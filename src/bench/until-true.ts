const mostMs = 60_000;

/** Looks each millisecond; @throws after a minute, so that a benchmark always ends */
export async function untilTrue(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + mostMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never happened within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
