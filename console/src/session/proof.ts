import { createClient, type RequestBody } from '@rollcall/client';
import { create } from 'zustand';
import { whenSignedOut } from './signed-out.js';

type Fetch = typeof globalThis.fetch;

/** Requests that wait until the user has proved who they are, or has refused to. */
interface Waiting {
  readonly answer: (isProven: boolean) => void;
}

const useStore = create<{ readonly waiting: readonly Waiting[] }>(() => ({ waiting: [] }));

/** Sends a request again once the user has given the password in a dialog above the page. */
export function repeatedOnceProven(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!needsProof(response) || !(await askForProof())) return response;
    return fetch(url, init);
  };
}

/** As in RFC 9470. */
function needsProof({ status, headers }: Response): boolean {
  return status === 401 && /insufficient_user_authentication/.test(headers.get('www-authenticate') ?? '');
}

export function askForProof(): Promise<boolean> {
  return new Promise((answer) => {
    useStore.setState(({ waiting }) => ({ waiting: [...waiting, { answer }] }));
  });
}

export function isProofAsked(): boolean {
  return useStore.getState().waiting.length > 0;
}

export function useIsProofAsked(): boolean {
  return useStore(({ waiting }) => waiting.length > 0);
}

const client = createClient({ baseUrl: '' });

type Proof = RequestBody<'prove'>;

export async function prove(proof: Proof): Promise<void> {
  await client.call('prove', { body: proof });
  answerAll(true);
}

/** The user has proved it in another window. */
export function acceptProof(): void {
  answerAll(true);
}

export function refuseProof(): void {
  answerAll(false);
}

function answerAll(isProven: boolean): void {
  const { waiting } = useStore.getState();
  useStore.setState({ waiting: [] });
  for (const { answer } of waiting) answer(isProven);
}

whenSignedOut(refuseProof);
