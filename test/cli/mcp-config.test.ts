import { describe, expect, it } from 'vitest';
import { AgentConfigError, readAgentConfig } from '../../src/cli/agent-config.ts';
import { dataDirOf } from '../../src/cli/data-dir.ts';

const read = (env: Record<string, string>) => readAgentConfig(env, 'linux', '/home/ada');

describe('the agent’s configuration', () => {
  it('is the local server with nothing set', () => {
    expect(read({})).toEqual({
      server: { at: 'local', port: 4747, key: null },
      dataDir: '/home/ada/.local/share/beckon',
      sessionName: null,
      logLevel: 'warn',
    });
    expect(read({ BECKON_PORT: '5000' }).server).toEqual({ at: 'local', port: 5000, key: null });
  });

  it('is a server elsewhere with its address and key', () => {
    const { server } = read({ BECKON_URL: 'https://beckon.example.com/', BECKON_KEY: ' bk_live_x-Y_1 ' });
    expect(server).toEqual({ at: 'url', baseUrl: 'https://beckon.example.com', key: 'bk_live_x-Y_1' });
  });

  it('uses the local key for a server of this machine, unless it is told another', () => {
    expect(read({ BECKON_URL: 'http://localhost:5000' }).server).toMatchObject({ at: 'url', key: null });
    expect(read({ BECKON_KEY: 'bk_live_x' }).server).toEqual({ at: 'local', port: 4747, key: 'bk_live_x' });
  });

  it('takes a name of exactly 100 characters', () => {
    expect(read({ BECKON_SESSION_NAME: '🚀'.repeat(100) }).sessionName).toBe('🚀'.repeat(100));
  });

  it('names all faults at once', () => {
    const env = { BECKON_PORT: '99999', BECKON_SESSION_NAME: 'a\nb', BECKON_LOG_LEVEL: 'loud' };
    expect(() => read(env)).toThrow(AgentConfigError);
    expect(() => read(env)).toThrow(/BECKON_PORT .*; BECKON_SESSION_NAME .*; BECKON_LOG_LEVEL /);
    expect(() => read({ BECKON_URL: 'ftp://x', BECKON_KEY: 'x' })).toThrow(/BECKON_KEY .*; BECKON_URL /);
  });
});

describe('the data folder', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, '/home/ada/.local/share/beckon'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/beckon'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/beckon'],
    ['linux', { BECKON_DATA_DIR: '/srv/b', XDG_DATA_HOME: '/data' }, '/srv/b'],
    ['darwin', {}, '/home/ada/Library/Application Support/beckon'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/beckon'],
  ])('on %s with %o', (platform, env, path) => {
    expect(dataDirOf(env, platform, '/home/ada')).toBe(path);
  });
});
