import {
  type ApiDocument,
  alternativesOf,
  type Content,
  errorCodeOf,
  type Operation,
  type Schema,
} from './document.js';
import { type Change, replyChanges, requestChanges } from './schema-changes.js';

/** What callers of the API as described before would have to change for the API as described after. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): Change[] {
  const changes = [
    ...Object.entries(before.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const now = after.paths[path]?.[method];
        const found = now
          ? new OperationComparison(name, { before, after }, operation, now).changes()
          : [{ subject: name, problem: 'was removed' }];
        return found.map((change) => ({ ...change, problem: `${name}: ${change.problem}` }));
      }),
    ),
    ...errorChanges(before, after),
  ];
  return [...new Map(changes.map((change) => [change.problem, change])).values()];
}

interface Documents {
  readonly before: ApiDocument;
  readonly after: ApiDocument;
}

class OperationComparison {
  readonly #name: string;
  readonly #documents: Documents;
  readonly #before: Operation;
  readonly #after: Operation;

  constructor(name: string, documents: Documents, before: Operation, after: Operation) {
    this.#name = name;
    this.#documents = documents;
    this.#before = before;
    this.#after = after;
  }

  changes(): Change[] {
    return [
      ...this.#wholeChanges(),
      ...this.#parameterChanges(),
      ...this.#bodyChanges(),
      ...this.#replyChanges(),
    ];
  }

  #wholeChanges(): Change[] {
    const [before, after] = [this.#before, this.#after];
    const needsToken = ({ security = [] }: Operation) => security.length > 0;
    return [
      ...(before.operationId === after.operationId
        ? []
        : [this.#change(`is called ${after.operationId} instead of ${before.operationId}`)]),
      ...(needsToken(after) && !needsToken(before) ? [this.#change('needs a token')] : []),
    ];
  }

  #parameterChanges(): Change[] {
    const { parameters: before = [] } = this.#before;
    const { parameters: after = [] } = this.#after;
    const keyOf = ({ in: place, name }: { in: string; name: string }) => `${place} ${name}`;
    const known = new Map(before.map((parameter) => [keyOf(parameter), parameter]));
    const kept = new Set(after.map(keyOf));
    return [
      ...before
        .filter((parameter) => !kept.has(keyOf(parameter)))
        .map(({ name }) => ({ subject: name, problem: `parameter ${name} was removed` })),
      ...after.flatMap((parameter) => {
        const { name } = parameter;
        const former = known.get(keyOf(parameter));
        const place = { subject: name, text: `parameter ${name}` };
        return [
          ...(parameter.required && !former?.required
            ? [{ subject: name, problem: `parameter ${name} is required` }]
            : []),
          ...(former ? requestChanges(this.#documents, former.schema, parameter.schema, place) : []),
        ];
      }),
    ];
  }

  #bodyChanges(): Change[] {
    const { requestBody: before } = this.#before;
    const { requestBody: after } = this.#after;
    if (!before) return after?.required ? [this.#change('needs a body')] : [];
    if (!after) return [this.#change('does not accept a body')];
    return [
      ...(after.required && !before.required ? [this.#change('needs a body')] : []),
      ...this.#contentChanges(before.content, after.content, 'body', requestChanges),
    ];
  }

  /** Only successes: errors are compared by their codes. */
  #replyChanges(): Change[] {
    const successes = Object.entries(this.#before.responses).filter(([status]) => Number(status) < 400);
    return successes.flatMap(([status, before]) => {
      const after = this.#after.responses[status];
      if (!after) return [this.#change(`never replies with ${status}`)];
      const headers = Object.keys(before.headers ?? {}).filter(
        (name) => !Object.hasOwn(after.headers ?? {}, name),
      );
      return [
        ...headers.map((name) => ({ subject: name, problem: `reply header ${name} was removed` })),
        ...this.#contentChanges(before.content ?? {}, after.content ?? {}, 'reply', replyChanges),
      ];
    });
  }

  #contentChanges(before: Content, after: Content, text: string, compare: typeof requestChanges): Change[] {
    const place = { subject: this.#name, text };
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const now = after[type];
      return now
        ? compare(this.#documents, schema, now.schema, place)
        : [this.#change(`${text} cannot be ${type}`)];
    });
  }

  #change(problem: string): Change {
    return { subject: this.#name, problem };
  }
}

interface KnownError {
  readonly schema: Schema;
  /** The operations that have the error, with its status. */
  readonly statuses: ReadonlyMap<string, string>;
}

/**
 * Errors can be added to an operation, and need not occur any more. But a code never gets another name, and keeps its
 * data and, within an operation, its status.
 */
function errorChanges(before: ApiDocument, after: ApiDocument): Change[] {
  const errors = errorsOf(after);
  return [...errorsOf(before)].flatMap(([code, { schema, statuses }]) => {
    const now = errors.get(code);
    if (!now) return [];
    const name = String(schema.properties?.message?.const);
    const place = { subject: name, text: `error ${name}` };
    const moved = [...statuses].filter(
      ([operation, status]) => (now.statuses.get(operation) ?? status) !== status,
    );
    return [
      ...replyChanges({ before, after }, schema, now.schema, place),
      ...moved.map(([operation, status]) => ({
        subject: name,
        problem: `error ${name} of ${operation} has the status ${now.statuses.get(operation)} instead of ${status}`,
      })),
    ];
  });
}

function errorsOf(document: ApiDocument): Map<unknown, KnownError> {
  const found = new Map<unknown, { schema: Schema; statuses: Map<string, string> }>();
  const note = (schema: Schema) => {
    const code = errorCodeOf(schema);
    const known = found.get(code) ?? { schema, statuses: new Map<string, string>() };
    if (code !== undefined) found.set(code, known);
    return known;
  };
  for (const schema of Object.values(document.components?.schemas ?? {})) note(schema);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const schemas = Object.values(content).flatMap(({ schema }) => alternativesOf(document, schema));
        for (const schema of schemas) note(schema).statuses.set(`${method.toUpperCase()} ${path}`, status);
      }
    }
  }
  return found;
}
