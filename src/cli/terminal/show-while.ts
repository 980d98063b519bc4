import { host } from '../host.js';

const patienceMs = 300;

/** Shows a text on a terminal while work takes longer than a moment. */
export async function showWhile<T>(text: string, work: Promise<T>, stream = host().stderr): Promise<T> {
  let isShown = false;
  const showing = setTimeout(() => {
    isShown = stream.isTTY === true;
    if (isShown) stream.write(text);
  }, patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(showing);
    if (isShown) stream.write('\r\u001b[K');
  }
}
