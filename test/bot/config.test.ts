import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/bot/config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, ['BECKON_SLACK_CHANNEL']);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the server is set up by its environment', () => {
  it('needs nothing', () => {
    const config = readConfig({}, []);
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4747, databaseUrl: null, defaultTtlSeconds: 21_600 });
    expect(config.publicUrl.href).toBe('http://127.0.0.1:4747/');
  });

  it('tells all faults at once, each with an example of a right value', () => {
    expect(
      faultsOf({ BECKON_PORT: '99999', BECKON_PUBLIC_URL: 'beckon.example.com', BECKON_LOG_LEVEL: 'loud' }),
    ).toEqual([
      'BECKON_PORT must be a port from 0 to 65535, for example 4747',
      'BECKON_PUBLIC_URL must be an http or https address without a path, for example https://beckon.example.com',
      'BECKON_LOG_LEVEL must be one of debug, info, warn, error, silent',
    ]);
  });

  it('refuses a variable it does not know, and lets those of channels and agents be', () => {
    expect(faultsOf({ BECKON_PROT: '1', BECKON_SLACK_CHANNEL: 'C1', BECKON_URL: 'x', HOME: '/' })).toEqual([
      'BECKON_PROT is not a variable of Beckon; check its spelling against docs/configuration.md',
    ]);
  });

  it.each(['0', '-1', '1.5', 'NaN', '1000000000000', '604801'])('refuses a life of %s seconds', (ttl) => {
    expect(faultsOf({ BECKON_REQUEST_TTL_SECONDS: ttl })).toHaveLength(1);
  });

  it('never repeats the value of a database address', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2');
  });

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ BECKON_PORT: '' }, []).port).toBe(4747);
  });
});
