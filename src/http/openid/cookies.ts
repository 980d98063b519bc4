/**
 * Cookies of the provider. They are sent when another site leads a browser here, unlike that of a session: without them,
 * each application would ask for a detour over a page of ours. Their values are random, so a signature would add nothing.
 * Services on several ports of a laptop share its cookies, so the port is part of the names there.
 */
export function cookiesFor(issuer: string): object {
  const { protocol, port } = new URL(issuer);
  const isSecure = protocol === 'https:';
  const attributes = { httpOnly: true, sameSite: 'lax', signed: false, secure: isSecure } as const;
  return {
    names: {
      session: isSecure ? '__Host-rollcall-openid' : `rollcall-openid${port}`,
      interaction: isSecure ? '__Secure-rollcall-sign-in' : `rollcall-sign-in${port}`,
      resume: isSecure ? '__Secure-rollcall-resume' : `rollcall-resume${port}`,
    },
    long: { ...attributes, path: '/' },
    short: attributes,
  };
}
