// Keeps the demo page up to date and passes on what people press. Without it the page shows the chats as they were.

const last = new Map(); // part → the HTML it shows, so that nothing that did not change is touched
const busy = new Map(); // pane → { running, again }

const paneOf = (name) => document.getElementById(`pane-${name}`);
const names = ['agent', 'slack', 'discord', 'telegram'].filter((name) => paneOf(name) !== null);
const personOf = (pane) => pane.querySelector('[data-act="person"]')?.value ?? '';

function show(part, html) {
  if (last.get(part) === html) return false;
  last.set(part, html);
  const focused = part.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const opened = [...part.querySelectorAll('details[open]')].map((details) => details.dataset.keep);
  part.innerHTML = html;
  for (const keep of opened) part.querySelector(`details[data-keep="${keep}"]`)?.setAttribute('open', '');
  if (focused !== null) part.querySelector(focused)?.focus({ preventScroll: true });
  return true;
}

// A way to find the same control again after its part was exchanged.
function keyOf(element) {
  const { act, message, button, kind } = element.dataset;
  if (act === undefined) return null;
  const of = (name, value) => (value === undefined ? '' : `[data-${name}="${CSS.escape(value)}"]`);
  return `[data-act="${act}"]${of('message', message)}${of('button', button)}${of('kind', kind)}`;
}

// One fetch at a time for each pane; a change meanwhile means one more.
async function refresh(name) {
  const state = busy.get(name) ?? { running: false, again: false };
  busy.set(name, state);
  if (state.running) {
    state.again = true;
    return;
  }
  state.running = true;
  try {
    do {
      state.again = false;
      await refreshOnce(name);
    } while (state.again);
  } catch {
    // The page says that the demo is gone as soon as its event stream breaks.
  } finally {
    state.running = false;
  }
}

async function refreshOnce(name) {
  const pane = paneOf(name);
  const person = personOf(pane);
  const response = await fetch(`/parts/${name}?person=${encodeURIComponent(person)}`);
  if (!response.ok || personOf(pane) !== person) return;
  const parts = await response.json();
  const log = pane.querySelector('[data-part="log"]');
  const atEnd = !last.has(log) || log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  if (parts.state !== undefined) show(pane.querySelector('[data-part="state"]'), parts.state);
  if (show(log, parts.log) && (atEnd || name === 'agent')) log.scrollTop = log.scrollHeight;
  if (parts.form !== undefined && show(pane.querySelector('[data-part="form"]'), parts.form)) {
    pane.querySelector('[data-part="form"] textarea')?.focus();
  }
  const count = document.querySelector(`[data-open="${name}"]`);
  if (count !== null) {
    count.textContent = parts.open;
    count.hidden = parts.open === 0;
  }
}

async function send(path, body, pane) {
  const fault = pane?.querySelector('[data-part="fault"]');
  if (fault) fault.hidden = true;
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return true;
    const { error } = await response.json();
    if (fault) {
      fault.textContent = error;
      fault.hidden = false;
    }
  } catch {
    document.querySelector('.lost').hidden = false;
  }
  return false;
}

const replyTo = new WeakMap(); // composer → message id

function startReply(pane, { message, author, excerpt }) {
  const composer = pane.querySelector('.composer');
  replyTo.set(composer, message);
  composer.querySelector('.replying-to').textContent = `Reply to ${author}: ${excerpt}`;
  composer.querySelector('.replying').hidden = false;
  composer.elements.text.focus();
}

function endReply(composer) {
  replyTo.delete(composer);
  composer.querySelector('.replying').hidden = true;
}

const clicks = {
  async press(target, pane) {
    target.disabled = true;
    target.classList.add('busy');
    const { message, button } = target.dataset;
    await send(`/chats/${pane.dataset.chat}/press`, { person: personOf(pane), message, button }, pane);
    target.disabled = false;
    target.classList.remove('busy');
    refresh(pane.dataset.chat);
  },
  async 'close-form'(_target, pane) {
    await send(`/chats/${pane.dataset.chat}/close-form`, { person: personOf(pane) }, pane);
    refresh(pane.dataset.chat);
  },
  reply: (target, pane) => startReply(pane, target.dataset),
  'no-reply': (target) => endReply(target.closest('.composer')),
  async ask(target, pane) {
    for (const ask of pane.querySelectorAll('[data-act="ask"]')) ask.disabled = true;
    await send('/agent/ask', { kind: target.dataset.kind }, pane);
  },
  withdraw: (target, pane) => {
    target.disabled = true;
    send('/agent/withdraw', {}, pane);
  },
  tab: (target) => openTab(target.dataset.tab),
};

function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    tab.setAttribute('aria-selected', String(tab.dataset.tab === name));
    tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
  }
  const log = paneOf(name).querySelector('[data-part="log"]');
  log.scrollTop = log.scrollHeight;
}

document.addEventListener('click', (event) => {
  const target = event.target.closest('[data-act]');
  if (target !== null && target.tagName === 'BUTTON') clicks[target.dataset.act]?.(target, target.closest('.pane'));
});

document.addEventListener('change', (event) => {
  if (event.target.dataset.act === 'person') refresh(event.target.closest('.pane').dataset.chat);
});

document.addEventListener('submit', async (event) => {
  const form = event.target;
  const { act } = form.dataset;
  if (act === undefined) return;
  event.preventDefault();
  const pane = form.closest('.pane');
  const { chat } = pane.dataset;
  const text = form.elements.text.value;
  const person = personOf(pane);
  if (act === 'form') await send(`/chats/${chat}/form`, { person, text }, pane);
  if (act === 'write' && text.trim() !== '') {
    const to = replyTo.get(form);
    if (await send(`/chats/${chat}/write`, { person, text, ...(to ? { replyTo: to } : {}) }, pane)) {
      form.reset();
      endReply(form);
      pane.querySelector('[data-part="log"]').scrollTop = Number.MAX_SAFE_INTEGER;
    }
  }
  refresh(chat);
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') event.target.closest('.modal')?.querySelector('[data-act="close-form"]')?.click();
  if (event.target.getAttribute?.('role') !== 'tab') return;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const next = names[(names.indexOf(event.target.dataset.tab) + step + names.length) % names.length];
  openTab(next);
  document.getElementById(`tab-${next}`).focus();
});

setInterval(() => {
  for (const element of document.querySelectorAll('[data-since]')) {
    const seconds = Math.max(0, Math.floor((Date.now() - Number(element.dataset.since)) / 1_000));
    element.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}, 1_000);

const events = new EventSource('/events');
events.addEventListener('hello', () => {
  document.querySelector('.lost').hidden = true;
  for (const name of names) refresh(name);
});
events.addEventListener('change', (event) => refresh(event.data));
events.addEventListener('error', () => {
  document.querySelector('.lost').hidden = false;
});
