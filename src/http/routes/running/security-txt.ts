import type { FastifyInstance } from 'fastify';

const path = '/.well-known/security.txt';

/** RFC 9116 recommends less than a year. Computed per request, so it is always this far ahead. */
const validDays = 180;
const dayMs = 86_400_000;

export interface SecurityTxt {
  /** A URI for vulnerability reports. */
  readonly contact: string;
  readonly publicUrl: () => string;
}

/** Serves security.txt (RFC 9116). The file requires a contact, so without one there is no file. */
export function securityTxtRoute(app: FastifyInstance, { contact, publicUrl }: SecurityTxt): void {
  app.get(path, { config: { always: true, plain: true }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(securityTxt(contact, publicUrl(), Date.now())),
  );
}

function securityTxt(contact: string, publicUrl: string, nowMs: number): string {
  const expires = new Date(Math.floor(nowMs / dayMs + validDays) * dayMs);
  return `Contact: ${contact}
Expires: ${expires.toISOString().replace('.000Z', 'Z')}
Preferred-Languages: en
Canonical: ${publicUrl}${path}
`;
}
