import type { FastifyRequest } from 'fastify';

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What people call the program that sends the request, such as Firefox on Windows; null if it doesn't say. */
export function deviceOf({ headers }: FastifyRequest): string | null {
  return deviceName(headers['user-agent'] ?? '');
}

export function deviceName(userAgent: string): string | null {
  const browser = browsers.find(([, form]) => form.test(userAgent))?.[0];
  const system = systems.find(([, form]) => form.test(userAgent))?.[0];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return /^[A-Za-z][A-Za-z0-9._-]{0,39}/.exec(userAgent)?.[0] ?? null;
}
