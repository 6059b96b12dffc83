// Keeps an open page up to date: one stream says that something changed, htmx then fetches what the page shows.
// Without this file every page still works; it is then as old as its last load.
(() => {
  const live = document.getElementById('live');
  const connection = document.getElementById('connection');
  if (live === null || connection === null) return;

  const { listen, request } = live.dataset;
  const serverNow = Number(document.querySelector('meta[name="beckon-now"]')?.content);
  const skew = serverNow - Date.now();
  let source = null;
  let pause = 1000;
  let retry = 0;
  let refresh = 0;

  // Many changes at once are one fetch.
  const fetchParts = () => {
    if (refresh !== 0) return;
    refresh = setTimeout(() => {
      refresh = 0;
      window.htmx.trigger(live, 'beckon:change');
    }, 150);
  };

  const show = (state, text) => {
    connection.hidden = false;
    connection.dataset.state = state;
    connection.textContent = text;
  };

  const open = () => {
    clearTimeout(retry);
    if (source !== null) return;
    source = new EventSource('/live');
    source.addEventListener('open', () => {
      pause = 1000;
      show('on', 'Live');
      fetchParts(); // whatever changed while nobody listened
    });
    source.addEventListener('change', (event) => {
      const change = JSON.parse(event.data);
      const ofOthers = change.kind === 'page' && request !== undefined && change.requestId !== request;
      if (!ofOthers) fetchParts();
    });
    source.addEventListener('error', () => {
      show('off', 'Reconnecting…');
      if (source === null || source.readyState !== EventSource.CLOSED) return;
      close();
      retry = setTimeout(open, pause);
      pause = Math.min(pause * 2, 30000);
      fetchParts(); // a page whose sign-in ended learns it here
    });
  };

  const close = () => {
    source?.close();
    source = null;
  };

  // Browsers allow six connections to one site: tabs in the background give theirs back, but for the list with its count.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') open();
    else if (listen === 'seen') {
      clearTimeout(retry);
      close();
    }
  });
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) open();
  });

  // Screen readers hear the new title when it changes: it holds the count and the outcome.
  let said = document.title;
  document.addEventListener('htmx:afterSettle', () => {
    const announce = document.getElementById('announce');
    if (document.title === said || announce === null) return;
    said = document.title;
    announce.textContent = said;
  });

  const span = (ms) => {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    const days = Math.floor(seconds / 86400);
    const hours = Math.floor(seconds / 3600) % 24;
    const minutes = Math.floor(seconds / 60) % 60;
    if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
    if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
    return minutes > 0 ? `${minutes} min` : `${seconds} s`;
  };
  const age = (ms) => (ms < 60000 ? 'just now' : `${span(ms)} ago`);
  const left = (ms) => (ms <= 0 ? 'time is up' : `${span(ms)} left`);

  const tick = () => {
    const now = Date.now() + skew;
    for (const node of document.querySelectorAll('[data-left], [data-age]')) {
      const leftMs = Number(node.dataset.left) - now;
      const text = node.dataset.left === undefined ? age(now - Number(node.dataset.age)) : left(leftMs);
      if (node.textContent !== text) node.textContent = text;
      if (node.dataset.left !== undefined) node.classList.toggle('time-short', leftMs < 300000);
    }
  };
  setInterval(tick, 1000);
  tick();
  open();
})();
