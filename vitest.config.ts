import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // A test that leaves a handle open is a bug in the product's stop(); do not hide it behind a longer wait.
    teardownTimeout: 5_000,
  },
});
