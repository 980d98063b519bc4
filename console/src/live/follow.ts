import { followEvents } from '@rollcall/client';
import { createYieldToBrowser } from '../components/yield-to-browser.js';
import { expireSessionOnUnauthorized, rollcall } from '../session/api.js';
import { type LiveChange, setConnection, tellListeners } from './live-store.js';
import { refreshAfter, refreshEverything } from './refresh.js';

/** How long a hidden page stays connected. */
const hiddenMaxMs = 5 * 60_000;
const retryMs = 10_000;

/** Follows changes with one connection, as long as the page is visible. Returns a function that ends it. */
export function follow(): () => void {
  let connection: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const connect = async () => {
    const own = new AbortController();
    connection = own;
    setConnection('connecting');
    try {
      await readEvents(own.signal);
    } catch (error) {
      if (own.signal.aborted) return;
      setConnection('lost');
      expireSessionOnUnauthorized(error);
      timer = setTimeout(reconnect, retryMs);
    }
  };
  const disconnect = () => {
    clearTimeout(timer);
    connection?.abort();
    connection = undefined;
    setConnection('off');
  };
  const reconnect = () => {
    refreshEverything();
    void connect();
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(disconnect, hiddenMaxMs);
    else if (connection === undefined) reconnect();
  };
  document.addEventListener('visibilitychange', onVisibility);
  void connect();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    disconnect();
  };
}

async function readEvents(signal: AbortSignal): Promise<void> {
  const onReconnect = () => setConnection('lost');
  const yieldToBrowser = createYieldToBrowser();
  setConnection('open');
  for await (const event of followEvents(rollcall, { signal, onReconnect })) {
    setConnection('open');
    refreshAfter(event);
    if ('userSerial' in event.data) tellListeners(event as unknown as LiveChange);
    await yieldToBrowser(); // the events of a bulk call arrive together
  }
}
