/** For so long after the last input, requests count as use of the session. */
const attendedMs = 60_000;

let lastInputMs = Date.now();
for (const type of ['keydown', 'pointerdown', 'wheel']) {
  window.addEventListener(
    type,
    () => {
      lastInputMs = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** A page that is open refreshes itself. That must not keep a session alive whose user has left. */
export function noteIfUnattended(init: RequestInit = {}): RequestInit {
  if (Date.now() - lastInputMs < attendedMs) return init;
  const headers = new Headers(init.headers);
  headers.set('rollcall-unattended', 'true');
  return { ...init, headers };
}
