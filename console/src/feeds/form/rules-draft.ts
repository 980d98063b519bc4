import type { Limits, Rules } from './feed.js';

export const ruleFlags = ['create', 'update', 'rehire', 'deactivateMissing'] as const;
export type RuleFlag = (typeof ruleFlags)[number];

export type ScopeValue = string | number | boolean;

export interface ScopeAttribute {
  readonly key: string;
  /** A number that can't be read is a text. */
  readonly values: readonly ScopeValue[];
}

export interface RulesDraft {
  readonly flags: readonly RuleFlag[];
  readonly organizations: readonly string[];
  readonly tags: readonly string[];
  readonly attributes: readonly ScopeAttribute[];
  readonly onConflict: 'skip' | 'take' | 'fail';
  readonly unknownNames: 'stop' | 'create' | 'leaveOut';
  readonly approval: 'always' | 'beyondLimits' | 'never';
  readonly deliver: 'now' | 'hold';
}

export const newRules: RulesDraft = {
  ...{ flags: ['create', 'update'], organizations: [], tags: [], attributes: [] },
  ...{ onConflict: 'skip', unknownNames: 'stop', approval: 'beyondLimits', deliver: 'now' },
};

export function rulesDraftOf({ organizationSerials, tagSerials, attributes, ...rules }: Rules): RulesDraft {
  const { onConflict, unknownNames, approval, deliver } = rules;
  const isOn = (flag: RuleFlag) => rules[flag] ?? newRules.flags.includes(flag);
  return {
    flags: ruleFlags.filter(isOn),
    organizations: organizationSerials ?? [],
    tags: tagSerials ?? [],
    attributes: Object.entries(attributes ?? {}).map(([key, values]) => ({ key, values })),
    onConflict: onConflict ?? newRules.onConflict,
    unknownNames: unknownNames ?? newRules.unknownNames,
    approval: approval ?? newRules.approval,
    deliver: deliver ?? newRules.deliver,
  };
}

/** What to send. */
export function rulesOf({ flags, organizations, tags, attributes, ...choices }: RulesDraft): Rules {
  return {
    ...Object.fromEntries(ruleFlags.map((flag) => [flag, flags.includes(flag)])),
    ...(organizations.length > 0 && { organizationSerials: [...organizations] }),
    ...(tags.length > 0 && { tagSerials: [...tags] }),
    ...(attributes.length > 0 && {
      attributes: Object.fromEntries(attributes.map(({ key, values }) => [key, [...values]])),
    }),
    ...choices,
  };
}

/** To rehire is a way of creating. */
export function canHave({ flags }: RulesDraft, flag: RuleFlag): boolean {
  return flag !== 'rehire' || flags.includes('create');
}

export const limitNames = [
  ...(['deactivationsMax', 'createsMax', 'reactivationsMax', 'renamesMax', 'changesMax'] as const),
  ...(['emptiedMax', 'failuresMax', 'withdrawalsMax', 'rowsMin', 'rowsMax'] as const),
] as const;
export type LimitName = (typeof limitNames)[number];

export interface LimitsDraft {
  readonly learn: boolean;
  /** As typed: 20 or 5%. */
  readonly values: Readonly<Partial<Record<LimitName, string>>>;
}

export const newLimits: LimitsDraft = { learn: true, values: {} };

export function limitsDraftOf({ learn, ...limits }: Limits): LimitsDraft {
  const values = limitNames.flatMap((name) => (limits[name] == null ? [] : [[name, String(limits[name])]]));
  return { learn: learn ?? true, values: Object.fromEntries(values) };
}

/** What to send. */
export function limitsOf({ learn, values }: LimitsDraft): Limits {
  const given = limitNames.flatMap((name) => {
    const limit = parseLimit(values[name] ?? '');
    return limit === undefined ? [] : [[name, limit]];
  });
  return { ...(!learn && { learn }), ...Object.fromEntries(given) };
}

/** The limits that are neither empty, nor a number, nor a percentage. */
export function invalidLimits({ values }: LimitsDraft): LimitName[] {
  return limitNames.filter((name) => {
    const typed = values[name] ?? '';
    return typed.trim() !== '' && parseLimit(typed) === undefined;
  });
}

const limitForm = /^(\d{1,9})(?:[.,](\d{1,3}))?\s*(%?)$/;

function parseLimit(typed: string): number | string | undefined {
  const [, whole, fraction, percent] = limitForm.exec(typed.trim()) ?? [];
  if (whole === undefined) return undefined;
  if (percent === '') return fraction === undefined ? Number(whole) : undefined;
  const share = Number(`${whole}.${fraction ?? '0'}`);
  return share > 100 ? undefined : `${share}%`;
}
