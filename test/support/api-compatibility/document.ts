/** The parts of an OpenAPI document that are compared. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-event-data'?: Schema;
}

/** The schemas that a value can have, with references resolved: usually one, or one and null. */
export function alternativesOf(document: ApiDocument, schema: Schema): Schema[] {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '');
    const named = document.components?.schemas?.[name];
    if (named === undefined) throw new Error(`The document has no schema ${name}.`);
    return alternativesOf(document, named);
  }
  return (anyOf ?? oneOf)?.flatMap((each) => alternativesOf(document, each)) ?? [schema];
}

/** The code of an error's schema. */
export function errorCodeOf({ properties }: Schema): unknown {
  const { const: code, enum: codes } = properties?.errorCode ?? {};
  return code ?? codes?.[0];
}
