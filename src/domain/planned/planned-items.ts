import { v7 } from 'uuid';
import type { Failure } from '../../contract/errors.js';
import type { NewPlannedItem, PlannedItem } from '../../storage/changes/planned-items.js';
import { mentionsOf } from '../bulk/mentions.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { accept, type Parsed } from '../read-fields.js';
import { type SecretCipher, SecretKeyMissing } from '../secrets/secret-cipher.js';
import { namesInItem } from '../users/user-rules.js';

/** The parts of an item that can contain a password. */
interface WithPassword {
  readonly password?: string | null;
  readonly creation?: { readonly password: string | null } | undefined;
  readonly rehire?: { readonly password: string | null } | undefined;
}

interface PreviewedItem {
  readonly item: Parsed<unknown>;
  readonly employeeID: string | null;
  readonly preview: ItemOutcome;
}

/** An item as it is stored until the call runs: a given password is encrypted, and the rest is JSON. */
export function plannedItem(
  cipher: SecretCipher,
  position: number,
  { item, employeeID, preview }: PreviewedItem,
): NewPlannedItem {
  const id = v7();
  const password = passwordOf(item);
  const secret = password === null ? null : cipher.encrypt(password, purposeOf(id));
  const userSerial = preview.ok ? preview.serial : null;
  const stored = password === null ? withoutForms(item) : withPassword(item, null);
  return {
    ...{ id, position, employeeID, preview, userSerial, item: stored },
    // An item that changes a user is found by the serial.
    mentions: userSerial === null ? mentionsOf([namesInItem(stored, employeeID), failureIn(preview)]) : null,
    secret: secret?.bytes ?? null,
    secretKeyId: secret?.keyId ?? null,
  };
}

/** The item as it was parsed. */
export function openPlannedItem(
  cipher: SecretCipher,
  { id, item, secret, secretKeyId }: PlannedItem,
): Parsed<unknown> {
  const parsed = item as Parsed<unknown>;
  if (secret === null || secretKeyId === null) return parsed;
  if (!cipher.canDecrypt(secretKeyId)) throw new SecretKeyMissing(secretKeyId);
  return withPassword(parsed, cipher.decrypt(secret, purposeOf(id)));
}

function failureIn(outcome: ItemOutcome): Failure | undefined {
  return outcome.ok ? undefined : outcome.failure;
}

function purposeOf(id: string): string {
  return `planned item ${id}`;
}

function passwordOf(item: Parsed<unknown>): string | null {
  if (!item.ok || typeof item.value !== 'object' || item.value === null) return null;
  const { password, creation, rehire } = item.value as WithPassword;
  return password ?? creation?.password ?? rehire?.password ?? null;
}

/** The forms in which fields were sent concern only the reply to the request. */
function withoutForms(item: Parsed<unknown>): Parsed<unknown> {
  return item.ok ? accept(item.value) : item;
}

function withPassword(item: Parsed<unknown>, password: string | null): Parsed<unknown> {
  if (!item.ok) return item;
  const value = item.value as WithPassword;
  const { creation, rehire } = value;
  return {
    ok: true,
    value: {
      ...value,
      ...(creation ? { creation: { ...creation, password } } : {}),
      ...(rehire ? { rehire: { ...rehire, password } } : {}),
      ...(creation || rehire ? {} : { password }),
    },
  };
}
