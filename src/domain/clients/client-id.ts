import { randomBytes } from 'node:crypto';

export function newClientId(): string {
  return `client-${randomBytes(6).toString('hex')}`;
}

export function isGeneratedClientId(id: string): boolean {
  return /^client-[0-9a-f]{12}$/.test(id);
}

/** PostgreSQL cannot store NUL, so no ID contains one. */
export function isStorableId(id: string): boolean {
  return !id.includes('\u0000');
}
