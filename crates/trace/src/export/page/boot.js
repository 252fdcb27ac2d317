// Starts the viewer over the recording in this page. `__wbg_init` and `open` are the viewer's own, above.
{
  globalThis.holdpoint = { invoke: null };

  const unpacked = async (id) => {
    const text = document.getElementById(id).textContent;
    const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  const said = () => {
    const about = JSON.parse(document.getElementById('export').textContent);
    if (!about.redacted) return 'Exported whole: secrets in it were not replaced.';
    const values = about.valuesReplaced === 1 ? '1 value was' : `${about.valuesReplaced} values were`;
    return about.valuesReplaced ? `${values} replaced in this export, because they look like secrets.` : undefined;
  };

  const fail = (error) => {
    const notice = document.getElementById('notice');
    notice.textContent = `The viewer could not start.\n\n${error}\n\nIt needs a browser of 2023 or newer with WebGL 2.`;
    notice.hidden = false;
    document.getElementById('holdpoint').hidden = true;
  };

  const boot = async () => {
    await __wbg_init({ module_or_path: await unpacked('module') });
    await open(document.getElementById('holdpoint'), document.title, await unpacked('recording'), said());
  };

  // Right click opens our own menu, never the browser's.
  addEventListener('contextmenu', (event) => event.preventDefault());
  boot().catch(fail);
}
