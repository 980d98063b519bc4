import { type Mapping, recipeFrom, type UnnamedColumn } from '@rollcall/sheets';
import type { FeedProposal } from '../../components/feed-proposal.js';
import type { ImportState } from './state.js';

/** Files often have their day or month in the name. */
const dateAtEnd = /[-_. ]+20\d\d[-_.]?(?:0\d|1[0-2])(?:[-_.]?[0-3]\d.*)?$/;

/** What the import knows of the feed, or the columns that no feed can have. */
export function proposalFrom(
  state: Pick<
    ImportState,
    'mapping' | 'format' | 'source' | 'readOptions' | 'emptyCells' | 'missing' | 'deliver'
  >,
): FeedProposal | { readonly unnamed: readonly UnnamedColumn[] } {
  const { mapping, format, source, readOptions, emptyCells, missing, deliver } = state;
  const passwords = (mapping.password ?? []).map((column) => ({ field: 'password' as const, column }));
  const empty = emptyCells === 'clears' ? { empty: emptyCells } : {};
  const result = recipeFrom(inFileOrder(mapping), format?.headings ?? [], { ...readOptions, ...empty });
  const unnamed = result.ok ? [] : result.unnamed.filter(({ field }) => field !== 'password');
  if (!result.ok || passwords.length > 0) return { unnamed: [...unnamed, ...passwords] };
  const name = (source?.name ?? '').replace(/\.\w+$/, '').replace(dateAtEnd, '');
  return { name, recipe: result.recipe, deactivateMissing: missing.isOn, deliver };
}

function inFileOrder(mapping: Mapping): Mapping {
  const firstOf = (columns: readonly number[] = []) => columns[0] ?? 0;
  return Object.fromEntries(
    Object.entries(mapping).sort(([, one], [, other]) => firstOf(one) - firstOf(other)),
  );
}
