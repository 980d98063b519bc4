import { type Recipe, recipeProblems, recipeProblemText } from '#sheets';
import { type Failure, failure } from '../../contract/errors.js';
import type { FeedSettings } from '../../contract/feeds.js';
import type { AttributeSet } from '../attributes/attribute-set.js';
import { isSerial } from '../serial.js';
import { webhookUrlProblem } from '../webhooks/webhook-url.js';
import type { UrlRules } from '../webhooks/webhooks.js';
import { readScope } from './feed-scope.js';
import { scheduleProblem } from './schedule.js';
import type { FeedSource } from './source-reader.js';

/** What the source needs to be read, and where a chat receives messages. Encrypted together. */
export interface FeedSecrets {
  readonly secret: string | null;
  readonly passphrase: string | null;
  readonly chatUrl: string | null;
}

export interface SettingsRules extends UrlRules {
  readonly timeZone: string;
}

/** What no field can tell by itself. Addresses are checked again whenever the file is read. */
export function settingsProblem(
  rules: SettingsRules,
  { source, schedule, mapping, rules: feedRules, inform }: FeedSettings,
  { chatUrl }: FeedSecrets,
  attributes: AttributeSet,
): Failure | undefined {
  const sourceFlaw = sourceProblem(rules, sourceOf(source));
  if (sourceFlaw) return invalid('source', sourceFlaw);
  const scheduleFlaw = schedule && scheduleProblem(schedule, new Date(), rules.timeZone);
  if (scheduleFlaw) return invalid('schedule', scheduleFlaw);
  if (schedule && source.type === 'upload') {
    return invalid('schedule', 'is of no use to a feed whose files are uploaded. Leave it out.');
  }
  const [mappingFlaw] = recipeProblems(recipeOf(mapping), attributes.all);
  if (mappingFlaw) return invalid('mapping', `cannot be used. ${recipeProblemText(mappingFlaw)}`);
  if (recipeOf(mapping).columns.some(({ field }) => field === 'password')) {
    return invalid('mapping', 'must not contain "password": new users get one of their own.');
  }
  const scope = readScope(feedRules, attributes, true);
  if (typeof scope === 'string') return invalid('rules', scope);
  if (inform.users?.some((serial) => !isSerial(serial))) {
    return invalid('inform', 'contains a text that is not a serial of a user.');
  }
  if ((inform.chat === undefined) !== (chatUrl === null)) {
    return invalid('chatUrl', 'and "inform.chat" belong together. Send both of them, or neither.');
  }
  const chatFlaw = chatUrl === null ? undefined : urlProblem(rules, chatUrl);
  return chatFlaw === undefined ? undefined : invalid('chatUrl', `${chatFlaw}.`);
}

/** Whether a column of the file, or the scope, is about a sensitive attribute. */
export function usesSensitive(
  { mapping, rules }: FeedSettings,
  attributes: readonly { readonly key: string; readonly isSensitive: boolean }[],
): boolean {
  const used = new Set<string>([
    ...recipeOf(mapping).columns.map(({ field }) => field),
    ...Object.keys(rules.attributes ?? {}).map((key) => `attributes.${key}`),
  ]);
  return attributes.some(({ key, isSensitive }) => isSensitive && used.has(`attributes.${key}`));
}

/** With the defaults of what is optional. */
export function sourceOf(source: FeedSettings['source']): FeedSource {
  const defaults = {
    https: { auth: 'none', username: null },
    sftp: { port: 22, hostKey: null, auth: 'password' },
  } as const;
  // The field has checked it by its type.
  return { ...defaults[source.type as keyof typeof defaults], ...source } as FeedSource;
}

/** The fields of the contract have checked it. */
export function recipeOf({ columns = [], ...options }: FeedSettings['mapping']): Recipe {
  return { ...options, columns: columns.map((column) => ({ columns: [], ...column })) } as Recipe;
}

function urlProblem({ webhookTargets, webhookHosts }: UrlRules, url: string): string | undefined {
  return webhookUrlProblem(url, webhookTargets, webhookHosts);
}

function sourceProblem(rules: SettingsRules, source: FeedSource): string | undefined {
  switch (source.type) {
    case 'https': {
      const problem = urlProblem(rules, source.url);
      if (problem !== undefined && hasCredentials(source.url)) {
        return 'contains "url" with a username or password. Send them as "username" and "secret", with "auth": "basic".';
      }
      if (problem !== undefined) return `contains "url", which ${problem}.`;
      return source.auth === 'basic' && source.username === null ? 'needs "username".' : undefined;
    }
    case 's3': {
      const problem = urlProblem(rules, source.endpoint);
      return problem === undefined ? undefined : `contains "endpoint", which ${problem}.`;
    }
    case 'folder':
      return /^\/|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(source.path)
        ? 'contains "path", which must be relative and stay below the folder of feeds.'
        : undefined;
    default:
      return undefined;
  }
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

function invalid(field: string, problem: string): Failure {
  return failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field });
}
