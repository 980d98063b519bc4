import { type Parsed, parseText, type TokenReader } from './tokens.js';

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

export type Comparison = (typeof comparisons)[number];

export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, section 3.4.2.2. Attributes are spelled as in the text. */
export type Filter =
  | {
      readonly kind: 'compare';
      readonly attribute: string;
      readonly operator: Comparison;
      readonly value: FilterValue;
    }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** At least one value of the attribute matches. */
  | { readonly kind: 'element'; readonly attribute: string; readonly filter: Filter };

/** Of parentheses. Chains of `and` and `or` are flat, so nothing else makes a filter deep. */
export const filterDepthMax = 50;

export function parseFilter(text: string): Parsed<Filter> {
  return parseText(
    text,
    (tokens) => readFilter(tokens, { depth: 0, isInElement: false }),
    'and, or, or the end',
  );
}

interface Place {
  readonly depth: number;
  /** Within brackets, where there are no further brackets. */
  readonly isInElement: boolean;
}

function readFilter(tokens: TokenReader, place: Place): Filter | undefined {
  return readChain(tokens, 'or', () => readChain(tokens, 'and', () => readTerm(tokens, place)));
}

function readChain(
  tokens: TokenReader,
  kind: 'and' | 'or',
  readNext: () => Filter | undefined,
): Filter | undefined {
  const first = readNext();
  if (!first) return undefined;
  const filters = [first];
  while (tokens.takeKeyword(kind)) {
    const next = readNext();
    if (!next) return undefined;
    filters.push(next);
  }
  return filters.length === 1 ? first : { kind, filters };
}

function readTerm(tokens: TokenReader, place: Place): Filter | undefined {
  if (tokens.takePunctuation('(')) return readGroup(tokens, place);
  if (tokens.takeKeyword('not')) {
    if (!tokens.takePunctuation('(')) return tokens.fail('an opening parenthesis after not');
    const filter = readGroup(tokens, place);
    return filter && { kind: 'not', filter };
  }
  const attribute = tokens.takeAttribute();
  if (attribute === undefined) return undefined;
  if (!place.isInElement && tokens.takePunctuation('[')) return readElement(tokens, attribute, place);
  return readTest(tokens, attribute);
}

function readGroup(tokens: TokenReader, place: Place): Filter | undefined {
  if (place.depth >= filterDepthMax) return tokens.fail(`at most ${filterDepthMax} levels of parentheses`);
  const filter = readFilter(tokens, { ...place, depth: place.depth + 1 });
  if (!filter || tokens.takePunctuation(')')) return filter;
  return tokens.fail('and, or, or a closing parenthesis');
}

function readElement(tokens: TokenReader, attribute: string, place: Place): Filter | undefined {
  const selected = readSelection(tokens, place.depth);
  if (!selected) return undefined;
  const { filter, subAttribute } = selected;
  if (subAttribute === undefined) return { kind: 'element', attribute, filter };
  // Not in the grammar, but Entra ID sends emails[type eq "work"].value eq "x": the same value has to match both.
  const test = readTest(tokens, subAttribute);
  return test && { kind: 'element', attribute, filter: { kind: 'and', filters: [filter, test] } };
}

/** The rest of a value path, after its opening bracket. */
export function readSelection(
  tokens: TokenReader,
  depth = 0,
): { readonly filter: Filter; readonly subAttribute: string | undefined } | undefined {
  const filter = readFilter(tokens, { depth, isInElement: true });
  if (!filter) return undefined;
  if (!tokens.takePunctuation(']')) return tokens.fail('and, or, or a closing bracket');
  return { filter, subAttribute: tokens.takeSubAttribute() };
}

function readTest(tokens: TokenReader, attribute: string): Filter | undefined {
  if (tokens.takeKeyword('pr')) return { kind: 'present', attribute };
  const operator = comparisons.find((each) => tokens.takeKeyword(each));
  if (!operator) return tokens.fail(`an operator: ${comparisons.join(', ')} or pr`);
  const { kind, text } = tokens.next;
  if (kind !== 'text' && kind !== 'word') return tokens.fail('a value');
  tokens.take();
  return { kind: 'compare', attribute, operator, value: kind === 'text' ? text : wordValue(text) };
}

/** Texts without quotation marks are accepted: the collection of requests that Microsoft tests services with has some. */
function wordValue(word: string): FilterValue {
  switch (word.toLowerCase()) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      // A number that would lose digits stays a text, such as an employee number with leading zeros.
      return /^-?\d/.test(word) && String(Number(word)) === word ? Number(word) : word;
  }
}

/** One for each comparison. */
export function operandsIn(filter: Filter): readonly unknown[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(operandsIn);
    case 'not':
    case 'element':
      return operandsIn(filter.filter);
    case 'present':
      return [undefined];
    case 'compare':
      return [filter.value];
  }
}
