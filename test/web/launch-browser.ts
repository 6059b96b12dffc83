import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** A real browser. @throws Error that says how to get one */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no browser at ${executablePath}: install Debian's chromium (apt-get install chromium) or set CHROMIUM_PATH to one`,
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
