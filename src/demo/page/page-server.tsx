import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import type { EmulatedChat } from '../emulator.ts';
import type { AgentConsole } from './agent-console.ts';
import { ChatFormView, ChatLog } from './chat-pane.tsx';
import { type ChatViews, createChatViews } from './chat-view.ts';
import { ConsoleLog, ConsoleState } from './console-pane.tsx';
import { DemoPage } from './demo-page.tsx';
import { ownSiteOnly, pageHeaders } from './own-site.ts';
import { createPageLive } from './page-live.ts';

/** The page that shows the chats and the agent, on 127.0.0.1 only. */
export interface DemoPageServer {
  readonly url: URL;
  /** Closes every connection; the chats and the agent are the caller's to stop. */
  stop(): Promise<void>;
}

export interface DemoPageDeps {
  readonly port: number;
  readonly chats: readonly EmulatedChat[];
  readonly console: AgentConsole;
  readonly agentLabel: string;
  readonly dashboard: URL;
  /** A fresh one-time sign-in link. @throws when none can be made */
  readonly signInLink: () => Promise<string>;
  readonly now: () => Date;
}

interface SeenChat {
  readonly chat: EmulatedChat;
  readonly views: ChatViews;
}

/** @throws Error with `code` `EADDRINUSE` when the port is taken */
export async function startDemoPage(deps: DemoPageDeps): Promise<DemoPageServer> {
  const { chats, console, now } = deps;
  const seen = new Map<string, SeenChat>(
    chats.map((chat) => [chat.platform, { chat, views: createChatViews({ chat, now }) }]),
  );
  const live = createPageLive();
  const unsubscribes = [
    console.onChange(() => live.tell('agent')),
    ...chats.map((chat) => chat.onChange(() => live.tell(chat.platform))),
  ];
  const server = createServer(createDemoApp({ ...deps, seen, events: live.serve }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(deps.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    async stop() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      for (const { views } of seen.values()) views.stop();
      live.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function createDemoApp(
  deps: DemoPageDeps & { readonly seen: ReadonlyMap<string, SeenChat>; readonly events: RequestHandler },
): Express {
  const { console, seen, now } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.use(ownSiteOnly, pageHeaders(deps.dashboard));
  app.use(express.static(fileURLToPath(new URL('public/', import.meta.url)), { index: false, redirect: false }));

  app.get('/', (_request, response) => {
    const views = [...seen.values()].map(({ views: own }) => own.view(''));
    const page = <DemoPage views={views} console={console} agentLabel={deps.agentLabel} now={now()} />;
    response.type('html').send(`<!doctype html>${renderToString(page)}`);
  });
  app.get('/events', deps.events);
  app.get('/parts/agent', (_request, response) => {
    response.json({
      state: renderToString(<ConsoleState console={console} now={now()} />),
      log: renderToString(<ConsoleLog console={console} />),
      open: console.blockedOn() === null ? 0 : 1,
    });
  });
  app.get('/parts/:chat', (request, response) => {
    const view = chatOf(seen, request.params.chat).views.view(String(request.query.person ?? ''));
    response.json({
      log: renderToString(<ChatLog view={view} />),
      form: renderToString(<ChatFormView view={view} />),
      open: view.open,
    });
  });

  app.post('/dashboard', async (_request, response) => {
    response.redirect(303, await deps.signInLink());
  });
  app.use(express.json({ limit: '64kb' }));
  app.post('/agent/ask', (request, response) => {
    const { kind } = z.object({ kind: z.enum(['permission', 'plan_check', 'steering']) }).parse(request.body);
    if (console.ask(kind)) response.sendStatus(204);
    else response.status(409).json({ error: 'The agent is blocked on a call already.' });
  });
  app.post('/agent/withdraw', (_request, response) => {
    console.withdraw();
    response.sendStatus(204);
  });
  app.post('/chats/:chat/:act', async (request, response) => {
    const act = acts[request.params.act ?? ''];
    if (act === undefined) return void response.sendStatus(404);
    await act(chatOf(seen, request.params.chat), request.body);
    response.sendStatus(204);
  });
  app.use(sayWhatFailed);
  return app;
}

const person = z.string().min(1).max(100);
const text = z.string().max(4_000);

/** What people can do in a chat. All of it goes through the emulator, so through the platform's own protocol. */
const acts: Readonly<Record<string, (seen: SeenChat, body: unknown) => Promise<void>>> = {
  async press({ chat, views }, body) {
    const press = z.object({ person, message: z.string(), button: z.string() }).parse(body);
    views.reopenForm(press.person);
    await chat.press(press.person, press.message, press.button);
  },
  async form({ chat }, body) {
    const form = z.object({ person, text }).parse(body);
    await chat.submitForm(form.person, form.text);
  },
  async 'close-form'({ views }, body) {
    views.closeForm(z.object({ person }).parse(body).person);
  },
  async write({ chat }, body) {
    const written = z.object({ person, text: text.min(1), replyTo: z.string().optional() }).parse(body);
    await chat.write(written.person, written.text, written.replyTo);
  },
};

function chatOf(seen: ReadonlyMap<string, SeenChat>, name: unknown): SeenChat {
  const found = seen.get(String(name));
  if (found === undefined) throw new Error(`There is no chat ${JSON.stringify(name)} in this demo.`);
  return found;
}

/** The page shows the sentence where the person acted; the demo goes on. */
const sayWhatFailed: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const sentence =
    error instanceof Error && !(error instanceof z.ZodError) ? error.message : 'That was not understood.';
  response.status(400).json({ error: sentence });
};
