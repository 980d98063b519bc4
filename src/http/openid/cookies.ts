import type { FastifyRequest } from 'fastify';

/**
 * Cookies of the provider. They are sent when another site leads a browser here, unlike that of a session: without them,
 * each application would ask for a detour over a page of ours. Their values are random, so a signature would add nothing.
 */
export function cookiesFor(issuer: string): object {
  const secure = new URL(issuer).protocol === 'https:';
  const attributes = { httpOnly: true, sameSite: 'lax', signed: false, secure } as const;
  return { names: namesFor(issuer), long: { ...attributes, path: '/' }, short: attributes };
}

/** Services on several ports of a laptop share its cookies, so the port is part of the names there. */
function namesFor(issuer: string) {
  const { protocol, port } = new URL(issuer);
  const isSecure = protocol === 'https:';
  return {
    session: isSecure ? '__Host-rollcall-openid' : `rollcall-openid${port}`,
    interaction: isSecure ? '__Secure-rollcall-sign-in' : `rollcall-sign-in${port}`,
    resume: isSecure ? '__Secure-rollcall-resume' : `rollcall-resume${port}`,
  };
}

/** The sign-ins that the browser could go on with: only one is ours, but other domains may have set more. */
export function resumeCookiesOf({ headers }: FastifyRequest, issuer: string): string[] {
  const prefix = `${namesFor(issuer).resume}=`;
  const pairs = headers.cookie?.split(/; */) ?? [];
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}
