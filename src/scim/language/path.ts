import { type Filter, readSelection } from './filter.js';
import { type Parsed, parseText, type TokenReader } from './tokens.js';

/**
 * The path of a change (RFC 7644, figure 7): `name.familyName`, `emails[type eq "work"]`, `emails[type eq "work"].value`.
 * Only a schema can tell whether `urn:…:2.0:User` is an extension or an attribute, so the attribute stays as it is.
 */
export interface Path {
  readonly attribute: string;
  /** Selects values of the attribute. */
  readonly filter: Filter | undefined;
  readonly subAttribute: string | undefined;
}

export function parsePath(text: string): Parsed<Path> {
  return parseText(text, readPath);
}

/** Several paths with commas between them, as in the parameters `attributes` and `excludedAttributes`. */
export function parsePaths(text: string): Parsed<readonly Path[]> {
  return parseText(
    text,
    (tokens) => {
      const paths: Path[] = [];
      do {
        const path = readPath(tokens);
        if (!path) return undefined;
        paths.push(path);
      } while (tokens.takePunctuation(','));
      return paths;
    },
    'a comma or the end',
  );
}

function readPath(tokens: TokenReader): Path | undefined {
  const attribute = tokens.takeAttribute();
  if (attribute === undefined) return undefined;
  if (!tokens.takePunctuation('[')) return { attribute, filter: undefined, subAttribute: undefined };
  const selection = readSelection(tokens);
  return selection && { attribute, ...selection };
}
