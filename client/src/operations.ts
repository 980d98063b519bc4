import type { components, operations as Operations } from './generated/api.js';
import type { operations } from './generated/tables.js';
import type { RetryOptions } from './retry.js';

/** The API's schemas by name, such as `Schemas['User']`. */
export type Schemas = components['schemas'];

export type OperationName = keyof typeof operations;

type Parameter<Name extends OperationName, Place extends 'path' | 'query' | 'header'> = NonNullable<
  Operations[Name]['parameters'][Place]
>;

/** An undefined argument counts as omitted, so that callers need no conditions. */
type OrUndefined<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** Arguments are never changed, so they may be deeply read-only. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T;

type If<T, Option> = [T] extends [never] ? unknown : Option;

export type Path<Name extends OperationName> = Readonly<Parameter<Name, 'path'>>;
export type Query<Name extends OperationName> = OrUndefined<Parameter<Name, 'query'>>;
export type RequestHeaders<Name extends OperationName> = OrUndefined<Parameter<Name, 'header'>>;

export type RequestBody<Name extends OperationName> = Operations[Name] extends {
  requestBody?: { content: infer Content };
}
  ? Given<Content[keyof Content]>
  : never;

/** Some operations do without a body. */
type BodyOption<Name extends OperationName> = Operations[Name] extends { requestBody: unknown }
  ? { readonly body: RequestBody<Name> }
  : { readonly body?: RequestBody<Name> | undefined };

/** Options of every call. */
export interface CommonOptions {
  /** Aborts the call: the request in flight, or the pause before the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's options for this call; false for a single attempt. */
  readonly retry?: RetryOptions | false | undefined;
  /** Also retries a list that misses users because many have just changed. The last attempt may still be incomplete. */
  readonly untilComplete?: boolean | undefined;
}

export type CallOptions<Name extends OperationName> = CommonOptions &
  If<Parameter<Name, 'path'>, { readonly path: Path<Name> }> &
  If<Parameter<Name, 'query'>, { readonly query?: Query<Name> | undefined }> &
  If<Parameter<Name, 'header'>, { readonly headers?: RequestHeaders<Name> | undefined }> &
  If<RequestBody<Name>, BodyOption<Name>>;

/** Options can be omitted if the operation requires none. */
export type CallArguments<Name extends OperationName> =
  Record<never, never> extends CallOptions<Name>
    ? [options?: CallOptions<Name>]
    : [options: CallOptions<Name>];

export type ReplyBody<Name extends OperationName> = Operations[Name]['responses'] extends infer Responses
  ? Responses[keyof Responses] extends { content: { 'application/json': infer Body } }
    ? Body
    : never
  : never;

export interface Reply<Name extends OperationName> {
  readonly status: number;
  readonly headers: Headers;
  /** For `if-match`, from operations that read or change one user. */
  readonly etag: string | undefined;
  /** The response body. */
  readonly body: ReplyBody<Name>;
}

/** Operations that return pages with a cursor. */
export type PagedName = {
  [Name in OperationName]: ReplyBody<Name> extends { data: { nextCursor: string | null } } ? Name : never;
}[OperationName];

export type Item<Name extends PagedName> =
  ReplyBody<Name> extends { data: { items: (infer Each)[] } } ? Each : never;

export interface Page<Name extends PagedName> {
  readonly items: Item<Name>[];
  /** Pass it as `query.cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}
