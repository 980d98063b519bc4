import type { components, operations as Operations } from './generated/api.js';
import type { operations } from './generated/tables.js';
import type { RetryOptions } from './retry.js';

/** The shapes of the API by their names, such as `Schemas['User']`. */
export type Schemas = components['schemas'];

export type OperationName = keyof typeof operations;

type Parameter<Name extends OperationName, Place extends 'path' | 'query' | 'header'> = NonNullable<
  Operations[Name]['parameters'][Place]
>;

/** An argument that is undefined counts as left out, so that callers need no conditions around it. */
type OrUndefined<T> = { readonly [Key in keyof T]: T[Key] | undefined };

/** Nothing that is given is changed, so it may be read-only all the way down. */
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
  requestBody: { content: infer Content };
}
  ? Given<Content[keyof Content]>
  : never;

/** What any call can be given, whatever it does. */
export interface CommonOptions {
  /** Ends the call at once: the request under way, or the pause before the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /** For this call, over what the client was made with; false for a single attempt. */
  readonly retry?: RetryOptions | false | undefined;
}

export type CallOptions<Name extends OperationName> = CommonOptions &
  If<Parameter<Name, 'path'>, { readonly path: Path<Name> }> &
  If<Parameter<Name, 'query'>, { readonly query?: Query<Name> | undefined }> &
  If<Parameter<Name, 'header'>, { readonly headers?: RequestHeaders<Name> | undefined }> &
  If<RequestBody<Name>, { readonly body: RequestBody<Name> }>;

/** The options can be left out where an operation needs none. */
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
  /** For `if-match`; of operations that read or change one user. */
  readonly etag: string | undefined;
  /** The envelope of the API. */
  readonly body: ReplyBody<Name>;
}

/** The operations that answer page by page: their replies have a cursor. */
export type PagedName = {
  [Name in OperationName]: ReplyBody<Name> extends { data: { nextCursor: string | null } } ? Name : never;
}[OperationName];

export type Item<Name extends PagedName> =
  ReplyBody<Name> extends { data: { items: (infer Each)[] } } ? Each : never;

export interface Page<Name extends PagedName> {
  readonly items: Item<Name>[];
  /** Given as `query.cursor` it goes on after this page; null on the last one. */
  readonly nextCursor: string | null;
}
