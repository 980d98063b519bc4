import { readFileSync } from 'node:fs';
import type { FileProblem } from '../described-list.js';
import { host, pathOf } from '../host.js';
import type { FeedStep } from './plan.js';
import type { SecretName, SecretReference } from './read-file.js';

type Secrets = Readonly<Partial<Record<SecretName, string | null>>>;

/** The secrets of all steps, by the key of the feed. They are read before anything is changed. */
export function readSecrets(
  steps: readonly FeedStep[],
): ReadonlyMap<string, Secrets> | { readonly problems: readonly FileProblem[] } {
  const problems: FileProblem[] = [];
  const read = new Map<string, Secrets>();
  for (const { described, secrets } of steps) {
    const { key, line, settings } = described;
    const values = secrets.flatMap((name): [SecretName, string | null][] => {
      const reference = settings.get(name) as SecretReference | null; // the file was read with this field
      if (reference === null) return [[name, null]];
      const value = 'env' in reference ? host().env[reference.env] : contentOf(reference.file);
      if (value) return [[name, value]];
      problems.push({ line, text: `The ${name} of "${key}" cannot be read: ${reasonOf(reference)}.` });
      return [];
    });
    read.set(key, Object.fromEntries(values));
  }
  return problems.length > 0 ? { problems } : read;
}

/** Without the line break that editors add. */
function contentOf(file: string): string | undefined {
  try {
    return readFileSync(pathOf(file), 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

function reasonOf(reference: SecretReference): string {
  return 'env' in reference
    ? `the variable ${reference.env} is not set`
    : `${reference.file} does not exist, is empty or is not readable`;
}
