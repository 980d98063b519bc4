import type { Schemas } from '@rollcall/client';
import type { Attribute } from '@rollcall/sheets';
import type { FeedProposal } from '../../components/feed-proposal.js';
import type { Feed, FeedSettings } from './feed.js';
import { type InformDraft, informDraftOf, informOf, newInform } from './inform-draft.js';
import {
  type MappingDraft,
  mappingDraftOf,
  mappingOf,
  mappingProblems,
  newMapping,
} from './mapping-draft.js';
import {
  invalidLimits,
  type LimitsDraft,
  limitsDraftOf,
  limitsOf,
  newLimits,
  newRules,
  type RulesDraft,
  rulesDraftOf,
  rulesOf,
} from './rules-draft.js';
import {
  manualSchedule,
  newSchedule,
  type ScheduleDraft,
  scheduleDraftOf,
  scheduleOf,
  scheduleProblems,
} from './schedule-draft.js';
import {
  keepsSecret,
  newSource,
  requiredInputs,
  type SourceDraft,
  secretKindOf,
  sourceDraftOf,
  sourceOf,
} from './source-draft.js';

/** The values of the form, exactly as typed. */
export interface FeedDraft {
  readonly name: string;
  readonly key: string;
  readonly source: SourceDraft;
  readonly secrets: SecretDrafts;
  readonly schedule: ScheduleDraft;
  readonly mapping: MappingDraft;
  readonly rules: RulesDraft;
  readonly limits: LimitsDraft;
  readonly inform: InformDraft;
}

export const secretNames = ['secret', 'passphrase', 'chatUrl'] as const;
export type SecretName = (typeof secretNames)[number];
/** Undefined keeps the stored one. */
export type SecretDrafts = Readonly<Partial<Record<SecretName, string | undefined>>>;

export const newFeed: FeedDraft = {
  ...{ name: '', key: '', source: newSource, secrets: {}, schedule: newSchedule, mapping: newMapping },
  ...{ rules: newRules, limits: newLimits, inform: newInform },
};

/** A feed that does every night what an import did once. */
export function draftFrom({ name, recipe, deactivateMissing, deliver }: FeedProposal): FeedDraft {
  const flags = [...newRules.flags, ...(deactivateMissing ? (['deactivateMissing'] as const) : [])];
  return {
    ...newFeed,
    ...{ name, key: keyFromName(name), mapping: mappingDraftOf(recipe) },
    rules: { ...newRules, flags, deliver },
  };
}

export function draftOf(feed: Feed): FeedDraft {
  const { name, key, source, schedule, mapping, rules, limits, inform } = feed;
  return {
    ...{ name, key, secrets: {} },
    source: sourceDraftOf(source),
    schedule: source.type === 'upload' ? newSchedule : scheduleDraftOf(schedule),
    mapping: mappingDraftOf(mapping),
    rules: rulesDraftOf(rules),
    limits: limitsDraftOf(limits),
    inform: informDraftOf(inform),
  };
}

/** Nobody waits for files that are uploaded. */
function scheduleIn({ source, schedule }: FeedDraft): ScheduleDraft {
  return source.type === 'upload' ? manualSchedule : schedule;
}

function settingsOf(draft: FeedDraft) {
  return {
    name: draft.name.trim(),
    source: sourceOf(draft.source),
    schedule: scheduleOf(scheduleIn(draft)),
    mapping: mappingOf(draft.mapping),
    rules: rulesOf(draft.rules),
    limits: limitsOf(draft.limits),
    inform: informOf(draft.inform),
  } satisfies Partial<FeedSettings>;
}

/** Which secrets belong to the settings. */
function secretsFor({ source, inform }: FeedDraft): readonly SecretName[] {
  const kind = secretKindOf(source);
  return [
    ...(kind ? (['secret'] as const) : []),
    ...(kind === 'privateKey' ? (['passphrase'] as const) : []),
    ...(inform.chat === '' ? [] : (['chatUrl'] as const)),
  ];
}

export function creationOf(draft: FeedDraft): Schemas['CreateFeed'] {
  const given = secretsFor(draft).flatMap((name) => {
    const secret = draft.secrets[name] ?? '';
    return secret === '' ? [] : [[name, secret]];
  });
  return { key: draft.key.trim(), ...settingsOf(draft), ...Object.fromEntries(given) };
}

/** The settings that differ, and the secrets that were entered or are no longer needed. */
export function patchOf(draft: FeedDraft, feed: Feed): Schemas['PatchFeed'] {
  const [before, after] = [settingsOf(draftOf(feed)), settingsOf(draft)];
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  const needed = secretsFor(draft);
  const secrets = secretNames.flatMap((name): [string, string | null][] => {
    const entered = draft.secrets[name];
    if (!needed.includes(name)) return hasStored(feed, name) ? [[name, null]] : [];
    // A new key has the passphrase that is entered with it, or none.
    if (name === 'passphrase' && draft.secrets.secret) return [[name, entered || null]];
    return entered ? [[name, entered]] : [];
  });
  return Object.fromEntries([...changed, ...secrets]);
}

function hasStored(feed: Feed, name: SecretName): boolean {
  if (name === 'chatUrl') return feed.hasChatUrl;
  const isOfKey = secretKindOf(sourceDraftOf(feed.source)) === 'privateKey';
  return feed.hasSecret && (name === 'secret' || isOfKey);
}

/** Whether the stored secret still fits. Otherwise, it has to be entered again. */
export function isKept(name: SecretName, draft: FeedDraft, feed: Feed | undefined): boolean {
  if (!feed || !hasStored(feed, name)) return false;
  return name === 'chatUrl'
    ? feed.inform.chat != null && draft.inform.chat !== ''
    : keepsSecret(sourceDraftOf(feed.source), draft.source);
}

/** The inputs of the form that can have a problem, in its order. */
export type FormProblem =
  | 'name'
  | 'key'
  | `source.${ReturnType<typeof requiredInputs>[number]}`
  | `schedule.${ReturnType<typeof scheduleProblems>[number]}`
  | `scope.${string}`
  | `limits.${ReturnType<typeof invalidLimits>[number]}`
  | 'mapping'
  | SecretName;

/** /feeds/new is this form. */
const keyForm = /^(?!new$)[a-z][a-z0-9-]*$/;

/** What the service would refuse, as far as the form can tell. */
export function problemsOf(
  draft: FeedDraft,
  feed: Feed | undefined,
  attributes: readonly Attribute[],
): FormProblem[] {
  const { source } = draft;
  const found: (FormProblem | false)[] = [
    draft.name.trim() === '' && 'name',
    !keyForm.test(draft.key.trim()) && 'key',
    ...requiredInputs(source).map(
      (input) => String(source[input]).trim() === '' && (`source.${input}` as const),
    ),
    ...secretsFor(draft).map((name) => isMissing(name, draft, feed) && name),
    ...scheduleProblems(scheduleIn(draft)).map((problem) => `schedule.${problem}` as const),
    mappingProblems(draft.mapping, attributes).length > 0 && 'mapping',
    ...draft.rules.attributes.map(({ key, values }) => values.length === 0 && (`scope.${key}` as const)),
    ...invalidLimits(draft.limits).map((name) => `limits.${name}` as const),
  ];
  return found.filter((problem) => problem !== false);
}

/** Not every private key has a passphrase. */
function isMissing(name: SecretName, draft: FeedDraft, feed: Feed | undefined): boolean {
  const entered = draft.secrets[name];
  if (name === 'passphrase') return false;
  return entered === undefined ? !isKept(name, draft, feed) : entered === '';
}

/** The key follows the name until it is edited. */
export function keyFromName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, keyCharactersSuggested);
}

/** Short enough for the address of a page. */
const keyCharactersSuggested = 40;
