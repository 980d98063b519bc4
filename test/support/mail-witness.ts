import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A message received completely, whatever the sender was told. */
export interface WitnessedMail extends Email {
  readonly envelope: { readonly to: readonly string[] };
  readonly arrivedAt: Date;
}

export type Answer = 'accept' | 'drop' | 'hang';

/** A mail server that records each message before responding, and knows which ones are being sent to whom. */
export interface MailWitness {
  readonly url: string;
  readonly messages: WitnessedMail[];
  /** What happens to messages to this address. `drop` breaks the connection; `hang` does not respond until `letGo`. */
  answer(to: string): Answer;
  /** Accepts all hanging messages. */
  letGo(): void;
  /** The most messages to one address that were ever in progress at once, from the recipient to the response. */
  readonly sendsAtOnceMax: number;
  stop(): Promise<void>;
}

export async function openMailWitness(): Promise<MailWitness> {
  const messages: WitnessedMail[] = [];
  const sending = new Map<string, string>();
  const hanging = new Map<string, () => void>();
  const sockets = new Set<Socket>();
  let sendsAtOnceMax = 0;

  const recipientOf = ({ envelope }: SMTPServerSession) => envelope.rcptTo[0]?.address ?? '';
  const begin = ({ id }: SMTPServerSession, to: string) => {
    sending.set(id, to);
    const now = [...sending.values()].filter((other) => other === to).length;
    sendsAtOnceMax = Math.max(sendsAtOnceMax, now);
  };
  const end = ({ id }: SMTPServerSession) => {
    sending.delete(id);
    hanging.delete(id);
  };
  const drop = ({ remotePort }: SMTPServerSession) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
  };

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    maxAllowedUnauthenticatedCommands: false,
    closeTimeout: 1,
    onRcptTo: ({ address }, session, answer) => {
      begin(session, address);
      answer();
    },
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => {});
      stream.on('end', async () => {
        const arrivedAt = new Date();
        const to = recipientOf(session);
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        messages.push({ ...mail, envelope: { to: [to] }, arrivedAt });
        const accept = () => {
          end(session);
          answer(null, 'Queued');
        };
        const decision = witness.answer(to);
        if (decision === 'accept') accept();
        else if (decision === 'hang') hanging.set(session.id, accept);
        else drop(session);
      });
    },
    onClose: end,
  });
  server.on('error', () => {}); // errors of single connections, which tests break on purpose
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;

  const witness: MailWitness = {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    answer: () => 'accept',
    letGo: () => {
      for (const accept of [...hanging.values()]) accept();
    },
    get sendsAtOnceMax() {
      return sendsAtOnceMax;
    },
    stop: async () => {
      if (!server.server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return witness;
}
