import type { FeedSettings } from '../../contract/feeds.js';
import { type Actor, maySeeSensitive } from '../caller.js';

type Column = NonNullable<FeedSettings['mapping']['columns']>[number];
type Definitions = readonly { readonly key: string; readonly isSensitive: boolean }[];

/** The settings of a feed, as far as a caller may see them. */
export interface ShownSettings {
  readonly settings: FeedSettings;
  /** What is shown without some of its parts: `source.url`, `mapping.attributes.salary`. */
  readonly hidden: readonly string[];
}

/** Stands for what is hidden. */
const mark = '…';

/**
 * A query often contains a token, and what every user gets or has in a sensitive attribute is as sensitive as the
 * attribute.
 */
export function shownSettings(
  settings: FeedSettings,
  actor: Pick<Actor, 'scopes'> | undefined,
  definitions: Definitions,
): ShownSettings {
  const source = actor?.scopes.has('access:admin') ? settings.source : withoutQuery(settings.source);
  const { columns = [], ...reading } = settings.mapping;
  const shown = maySeeSensitive(actor)
    ? columns
    : columns.map((column) => (isOpen(column, definitions) ? column : withoutValues(column)));
  const concealed = maySeeSensitive(actor) ? [] : hiddenConditions(settings, definitions);
  return {
    settings: {
      ...{ ...settings, source, mapping: { ...reading, columns: shown } },
      rules: withoutConditions(settings.rules, concealed),
    },
    hidden: [
      ...urlNames
        .filter((name) => urlIn(source, name) !== urlIn(settings.source, name))
        .map((name) => `source.${name}`),
      ...columns.flatMap((column, at) => (shown[at] === column ? [] : `mapping.${column.field}`)),
      ...concealed.map((key) => `rules.attributes.${key}`),
    ],
  };
}

const urlNames = ['url', 'endpoint'] as const;

function urlIn(source: FeedSettings['source'], name: (typeof urlNames)[number]): string | undefined {
  const { [name]: url } = source as Partial<Record<string, unknown>>;
  return typeof url === 'string' ? url : undefined;
}

function withoutQuery(source: FeedSettings['source']): FeedSettings['source'] {
  const urls = urlNames.flatMap((name) => {
    const url = urlIn(source, name);
    return url?.includes('?') ? [[name, `${url.slice(0, url.indexOf('?'))}?${mark}`]] : [];
  });
  return { ...source, ...Object.fromEntries(urls) };
}

/** An attribute that no longer exists may have been sensitive. */
function isOpen({ field }: Column, definitions: Definitions): boolean {
  return (
    !isAttribute(field) ||
    definitions.some(({ key, isSensitive }) => field === `attributes.${key}` && !isSensitive)
  );
}

function hiddenConditions({ rules }: FeedSettings, definitions: Definitions): string[] {
  const keys = Object.keys(rules.attributes ?? {});
  return keys.filter((key) => !isOpen({ field: `attributes.${key}` }, definitions));
}

function withoutConditions(rules: FeedSettings['rules'], keys: readonly string[]): FeedSettings['rules'] {
  if (keys.length === 0) return rules;
  return {
    ...rules,
    attributes: { ...rules.attributes, ...Object.fromEntries(keys.map((key) => [key, [mark]])) },
  };
}

function isAttribute(field: string | undefined): boolean {
  return field?.startsWith('attributes.') === true;
}

function withoutValues(column: Column): Column {
  const { constant, values } = column;
  if (constant == null && values == null) return column;
  return {
    ...column,
    ...(constant != null && { constant: mark }),
    ...(values != null && { values: { [mark]: mark } }),
  };
}

/** Whether settings were copied from where some of their parts are hidden. They would replace what is hidden. */
export function lacksHidden({
  source,
  mapping,
  rules,
}: FeedSettings): 'source' | 'mapping' | 'rules' | undefined {
  if (urlNames.some((name) => urlIn(source, name)?.endsWith(`?${mark}`))) return 'source';
  const isMarked = ({ field, constant, values }: Column) =>
    isAttribute(field) && (constant === mark || values?.[mark] === mark);
  if (mapping.columns?.some(isMarked)) return 'mapping';
  return Object.values(rules.attributes ?? {}).some((values) => values.includes(mark)) ? 'rules' : undefined;
}
