import { rollcall } from '../session/api.js';
import { refreshEverything } from './refresh.js';

const pollMs = 5_000;
const dayMs = 86_400_000;

/**
 * For users who may not read the event stream: compares the numbers of today, which every change increases. Returns a
 * function that ends it.
 */
export function poll(): () => void {
  let known: string | undefined;
  const look = async () => {
    if (document.hidden) return;
    const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
    const reply = await rollcall.call('getStatistics', { query: { from: yesterday } }).catch(() => undefined);
    if (!reply) return;
    const numbers = JSON.stringify(reply.body.data);
    if (known !== undefined && known !== numbers) refreshEverything();
    known = numbers;
  };
  void look();
  const timer = setInterval(() => void look(), pollMs);
  return () => clearInterval(timer);
}
