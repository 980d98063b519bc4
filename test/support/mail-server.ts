import type { Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { freePort } from './postgres-server.js';

/** A received message: parsed, with its envelope addresses and the raw text. */
export interface ReceivedMail extends Email {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: string;
}

export type MailServerBehaviour =
  | 'accept'
  | 'refuse-connection'
  | 'refuse-credentials'
  | 'refuse-sender'
  | 'refuse-recipient'
  | 'delay-recipient'
  | 'deny-relay'
  | 'refuse-message'
  | 'drop-at-greeting'
  | 'drop-after-data'
  | 'hang-at-greeting'
  | 'hang-after-data';

/** The reply code and text for each kind of rejection. Like real servers, the text repeats addresses and more. */
const refusals = {
  'refuse-connection': [554, 'No service for you'],
  'refuse-credentials': [535, 'Authentication credentials invalid'],
  'refuse-sender': [553, 'Sender address rejected'],
  'refuse-recipient': [550, 'User unknown'],
  'delay-recipient': [450, 'Greylisted'],
  'deny-relay': [554, '5.7.1 Relay access denied'],
  'refuse-message': [554, 'Looks like spam'],
} as const;

export interface MailServer {
  /** Without credentials. */
  readonly url: string;
  readonly urlWithCredentials: string;
  readonly messages: ReceivedMail[];
  /** Takes effect at the next step of each session. */
  behaviour: MailServerBehaviour;
  /** All connections ever made. */
  readonly connectionsMade: number;
  /** Connections open now. */
  readonly connectionsOpen: number;
  /** Messages received completely, whether answered or not. */
  readonly messagesSeen: number;
  /** Closes all connections and stops listening, like a server that is down. */
  halt(): Promise<void>;
  /** Listens on the same port again. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Text from the server that must not appear in any error. */
export const serverChatter = 'chatter-of-the-server';

/** A mail server on a free port that stops with the test. */
export async function startMailServer(): Promise<MailServer> {
  const server = await openMailServer();
  onTestFinished(() => server.stop());
  return server;
}

/** The same, for callers that stop it themselves. */
export async function openMailServer(): Promise<MailServer> {
  const state = { behaviour: 'accept' as MailServerBehaviour, made: 0, seen: 0, isListening: false };
  const messages: ReceivedMail[] = [];
  const sockets = new Set<Socket>();

  const refused = (behaviour: keyof typeof refusals, about: string): Error | null => {
    if (state.behaviour !== behaviour) return null;
    const [responseCode, words] = refusals[behaviour];
    return Object.assign(new Error(`${words} ${serverChatter} <${about}>`), { responseCode });
  };
  const drop = ({ remotePort }: SMTPServerSession) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
  };

  const listen = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      maxAllowedUnauthenticatedCommands: false,
      closeTimeout: 1,
      onConnect: (session, answer) => {
        if (state.behaviour === 'hang-at-greeting') return;
        if (state.behaviour === 'drop-at-greeting') drop(session);
        else answer(refused('refuse-connection', session.remoteAddress));
      },
      onAuth: ({ username }, _session, answer) =>
        answer(refused('refuse-credentials', username ?? ''), { user: username }),
      onMailFrom: ({ address }, _session, answer) => answer(refused('refuse-sender', address)),
      onRcptTo: ({ address }, _session, answer) =>
        answer(
          refused('refuse-recipient', address) ??
            refused('delay-recipient', address) ??
            refused('deny-relay', address),
        ),
      onData: (stream, session, answer) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', () => {});
        stream.on('end', async () => {
          state.seen++;
          if (state.behaviour === 'hang-after-data') return;
          if (state.behaviour === 'drop-after-data') return drop(session);
          const refusal = refused('refuse-message', session.envelope.rcptTo[0]?.address ?? '');
          if (!refusal) messages.push(await parse(Buffer.concat(chunks), session));
          answer(refusal, 'Queued');
        });
      },
    });
    server.on('error', () => {}); // errors of single connections, which tests break on purpose
    server.server.on('connection', (socket) => {
      state.made++;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    state.isListening = true;
    return server;
  };

  const port = await freePort(); // stays free while the server is halted
  let server = await listen(port);

  const halt = async () => {
    if (!state.isListening) return;
    state.isListening = false;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  return {
    url: `smtp://127.0.0.1:${port}`,
    urlWithCredentials: `smtp://rollcall:secret@127.0.0.1:${port}`,
    messages,
    get behaviour() {
      return state.behaviour;
    },
    set behaviour(behaviour) {
      state.behaviour = behaviour;
    },
    get connectionsMade() {
      return state.made;
    },
    get connectionsOpen() {
      return sockets.size;
    },
    get messagesSeen() {
      return state.seen;
    },
    halt,
    resume: async () => {
      if (!state.isListening) server = await listen(port);
    },
    stop: halt,
  };
}

async function parse(raw: Buffer, { envelope }: SMTPServerSession): Promise<ReceivedMail> {
  return {
    ...(await PostalMime.parse(raw)),
    envelope: {
      from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      to: envelope.rcptTo.map(({ address }) => address),
    },
    raw: raw.toString('utf8'),
  };
}
