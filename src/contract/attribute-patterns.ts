import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { AttributeSettings } from './attributes.js';
import { attributeLimits } from './limits.js';

const { attributesMax, patternSizeMax, patternStepsMax, textDefaultLength } = attributeLimits;

/** Patterns by their text. Compiling takes a thousand times as long as matching. */
const compiled = new Map<string, RE2JS | undefined>();

/** Whether a text matches as a whole. No text matches what isn't a pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!compiled.has(pattern)) {
    const [oldest] = compiled.keys();
    if (oldest !== undefined && compiled.size === attributesMax) compiled.delete(oldest);
    compiled.set(pattern, compile(pattern));
  }
  // A matcher backtracks, in at most one step per instruction and character. RE2JS.matches() builds an automaton of up
  // to 8 MB instead, which takes ten times as long in the worst case.
  return compiled.get(pattern)?.matcher(text).matches() ?? false;
}

/** How many patterns are kept. */
export function compiledPatterns(): number {
  return compiled.size;
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** Why texts of an attribute can't be matched with its pattern in about a millisecond. */
export function patternProblem({
  pattern,
  maxLength,
}: Pick<AttributeSettings, 'pattern' | 'maxLength'>): string | undefined {
  if (pattern === null) return undefined;
  const length = maxLength ?? textDefaultLength;
  const size = sizeOf(pattern);
  if (typeof size === 'string') {
    return `must be a regular expression without lookaround and backreferences. RE2 reports: ${size}.`;
  }
  if (size <= patternSizeMax && size * length <= patternStepsMax) return undefined;
  return `takes too long to match texts of ${length} characters. Replace counted repetitions such as {1,255} with + or *, and limit the length with "maxLength".`;
}

/** The number of instructions, or why there are none. */
function sizeOf(pattern: string): number | string {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch (error) {
    return error instanceof RE2JSSyntaxException ? error.getDescription() : String(error);
  }
}
