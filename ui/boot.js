// Starts the viewer. In the shell's window the shell says where the server is; in a browser the page came from the server
// itself, and the token from the address bar, where it does not stay.

import init, { start } from './holdpoint.js';

const shell = globalThis.__TAURI_INTERNALS__;
const TOKEN = 'holdpoint.token';

// What the viewer may ask of its page. `invoke` is null in a browser.
globalThis.holdpoint = { invoke: shell ? (command, args) => shell.invoke(command, args) : null };

function tokenFromAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const given = fragment.get('token') ?? query.get('token');
  if (given === null) {
    return sessionStorage.getItem(TOKEN) ?? '';
  }
  // For this tab only: a reload goes on, another tab or a later visit has nothing.
  sessionStorage.setItem(TOKEN, given);
  fragment.delete('token');
  query.delete('token');
  const rest = (query.size ? `?${query}` : '') + (fragment.size ? `#${fragment}` : '');
  history.replaceState(null, '', location.pathname + rest);
  return given;
}

function browserSession() {
  const port = Number(location.port || 80);
  return {
    version: '',
    port,
    token: tokenFromAddress(),
    wsUrl: `ws://${location.host}/ws/ui`,
    ingestUrl: `ws://127.0.0.1:${port}/ingest`,
    viewerUrl: `${location.origin}/`,
    dataDir: '',
    notice: null,
  };
}

function fail(error) {
  const notice = document.getElementById('notice');
  notice.textContent = `The viewer could not start.\n\n${error}\n\nIt needs WebAssembly and WebGL 2.`;
  notice.hidden = false;
  document.getElementById('holdpoint').hidden = true;
}

async function boot() {
  const session = shell ? await shell.invoke('session') : browserSession();
  await init();
  await start(document.getElementById('holdpoint'), JSON.stringify(session));
}

// Right click opens our own menu, never the webview's.
addEventListener('contextmenu', (event) => event.preventDefault());
boot().catch(fail);
