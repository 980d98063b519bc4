import type { Schemas } from '@rollcall/client';
import { when } from '../copy/format.js';
import { texts } from '../copy/index.js';

const words = texts.activity.clients;

/** When the secrets that work were made, and when they end. */
export function SecretDates({ secrets }: { secrets: Schemas['Client']['secrets'] }) {
  if (secrets.length === 0) return words.noSecret;
  return secrets.map(({ createdAt, expiresAt }) => (
    <div key={createdAt}>
      {expiresAt === null
        ? words.secretMade(when(createdAt))
        : words.secretEnds(when(createdAt), when(expiresAt))}
    </div>
  ));
}
