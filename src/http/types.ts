import type { Span } from '@opentelemetry/api';
import type { Deprecation } from '../contract/deprecation.js';
import type { ScimOperation, ScimResourceType } from '../contract/enums.js';
import type { Failure } from '../contract/errors.js';
import type { Scope } from '../contract/scopes.js';
import type { Restriction } from '../domain/access/sessions.js';
import type { Actor } from '../domain/caller.js';

/** What the log of a provider's requests says about a route. */
export interface ScimRoute {
  readonly operation: ScimOperation;
  readonly resourceType: ScimResourceType | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scopes a caller needs, or one of several sets; `any` for every valid token. Routes without it are public. */
    scope?: Scope | readonly Scope[] | { readonly oneOf: readonly (readonly Scope[])[] } | 'any';
    /** For signed-in users only; not for clients and external issuers. */
    usersOnly?: boolean;
    /** Allowed in a session that lacks this, or something that comes later. Others have to be complete. */
    mayLack?: Restriction;
    /** Users have to prove who they are again if the last proof is old. */
    isSensitive?: boolean;
    /** The path ends with any text, also the name of an action of the same list, which has another method. */
    endsWithAnyText?: boolean;
    /** The media types of the body. Routes without it take no body. */
    takes?: readonly string[];
    /** The body may have many megabytes, and is read by the operation itself. */
    takesLongList?: boolean;
    /** The body is read whole, however many fields are in it. Only its size limits them. */
    takesLists?: boolean;
    /** The body is a file, which the operation reads as a stream. */
    takesFile?: boolean;
    /** The reply is not JSON, or is for machines that send any Accept header: no content negotiation. */
    plain?: boolean;
    /** Answers while the database is unavailable. */
    always?: boolean;
    /** For load balancers, whose requests are never rate-limited. */
    isProbe?: boolean;
    /** A potentially long read, with its own rate limit. */
    isSearch?: boolean;
    /** What could be guessed here. Such requests have their own rate limit. */
    guesses?: 'client secrets' | 'passwords';
    /** Everybody can open it, and it is remembered until the sign-in is completed. Such requests have their own rate limit. */
    beginsSignIn?: boolean;
    /**
     * A stream of events: requests wait while the service starts, and an EventSource never gets a temporary failure as
     * an error status.
     */
    eventStream?: boolean;
    /** Errors carry their data only if the caller sends details=true. */
    errorDataOnRequest?: boolean;
    /** Requests and replies, errors included, are those of SCIM (RFC 7644). */
    scim?: ScimRoute;
    /** Errors also have the fields of RFC 6749. */
    oauth?: boolean;
  }

  interface FastifyRequest {
    actor?: Actor;
    /** Whether the token came in the cookie of the console. */
    hasSessionCookie?: boolean;
    /** What the log of a provider's requests says about this one. */
    scimFacts?: { resourceId?: string; ignored?: readonly string[]; failure?: Failure };
    /** If requests are traced. */
    span?: Span;
  }

  interface FastifyReply {
    /** What the request used, or the reply contains, that is deprecated. */
    deprecations?: readonly Deprecation[];
  }
}
