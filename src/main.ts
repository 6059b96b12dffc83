/** The `beckon` command: picks a file of cli/. */

type Command = () => Promise<(argv: string[]) => Promise<number | undefined>>;

const commands: Readonly<Record<string, { readonly about: string; readonly load: Command }>> = {
  serve: { about: 'run the server', load: async () => (await import('./cli/serve.ts')).runServe },
  mcp: { about: "an agent's MCP server over stdio", load: async () => (await import('./cli/mcp.ts')).runMcp },
  ask: { about: 'ask people from a script', load: async () => (await import('./cli/ask.ts')).runAsk },
  doctor: { about: 'check the set-up', load: async () => (await import('./cli/doctor.ts')).runDoctor },
  connect: {
    about: 'print the lines that connect an agent',
    load: async () => (await import('./cli/connect.ts')).runConnect,
  },
  members: { about: 'sign-in links for people', load: async () => (await import('./cli/members.ts')).runMembers },
  demo: { about: 'try it all with emulated chats', load: async () => (await import('./cli/demo.ts')).runDemoCommand },
};

const [name = '', ...argv] = process.argv.slice(2);
const command = commands[name];
if (name === '--version' || name === '-v') {
  const { packageVersion } = await import('./cli/agent-desk.ts');
  process.stdout.write(`${packageVersion()}\n`);
} else if (command === undefined) {
  const asked = name === '' || name === 'help' || name === '--help' || name === '-h';
  const list = Object.entries(commands).map(([verb, { about }]) => `  beckon ${verb.padEnd(8)} ${about}`);
  process.stderr.write(
    `${asked ? '' : `beckon: there is no command ${JSON.stringify(name)}.\n`}Commands:\n${list.join('\n')}\n`,
  );
  process.exitCode = asked ? 0 : 2;
} else {
  const run = await command.load();
  const code = await run(argv);
  if (code !== undefined) process.exitCode = code;
}
