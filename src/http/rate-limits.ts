import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import type { Limits } from '../contract/limits.js';
import type { Actor } from '../domain/caller.js';
import type { Allowance, RateLimiter } from '../domain/rate-limiter.js';
import { type AuthenticationObserver, addressOf } from './authentication.js';
import { RequestRejected } from './request-rejected.js';

/** A limit, and the caller it applies to. */
interface Limit {
  readonly key: string;
  readonly max: number;
  /** How the error names it: "requests from this client". */
  readonly what: string;
}

export interface RateLimits extends Pick<AuthenticationObserver, 'onRejectedToken' | 'onKnownCaller'> {
  /** Runs before authentication: counts requests that need no token, and rejects addresses that have sent too many. */
  onArrival(request: FastifyRequest, reply: FastifyReply): void;
}

export function rateLimits(limiter: RateLimiter, limits: Limits): RateLimits {
  /** The reply headers describe the limit that is closest. */
  const take = (reply: FastifyReply, ...all: Limit[]) => {
    let nearest: Allowance | undefined;
    for (const { key, max, what } of all) {
      const left = limiter.take(key, max, Date.now());
      if (left && !(left.remaining > (nearest?.remaining ?? Number.POSITIVE_INFINITY))) nearest = left;
      if (left && !left.isAllowed) throw tooMany(reply, left, what);
    }
    if (nearest) setHeaders(reply, nearest);
  };
  const anonymous = (request: FastifyRequest): Limit => ({
    key: `address ${networkOf(request)}`,
    max: limits.anonymousRequestsPerMinuteMax,
    what: 'requests without a valid token from this address',
  });
  return {
    onArrival: (request, reply) => {
      const config: FastifyContextConfig = request.routeOptions.config ?? {};
      if (config.isProbe) return;
      if (config.scope === undefined) return take(reply, openLimit(request, limits) ?? anonymous(request));
      const { key, max, what } = anonymous(request);
      const left = limiter.peek(key, max, Date.now());
      if (left && !left.isAllowed) throw tooMany(reply, left, what);
    },
    onRejectedToken: (request) => {
      const { key, max } = anonymous(request);
      limiter.take(key, max, Date.now());
    },
    onKnownCaller: (request, reply) => {
      const { actor } = request;
      if (!actor) return;
      const caller = callerLimit(actor, limits);
      if (request.routeOptions.config.isSearch) take(reply, caller, searchLimit(actor, limits));
      else take(reply, caller);
    },
  };
}

/**
 * For routes where secrets can be guessed, passwords are hashed or something is stored. Counted separately, so that one does
 * not exhaust the other.
 */
function openLimit(request: FastifyRequest, limits: Limits): Limit | undefined {
  const { guesses, beginsSignIn } = request.routeOptions.config;
  if (beginsSignIn) {
    return {
      key: `begin ${networkOf(request)}`,
      max: limits.signInRequestsPerMinuteMax,
      what: 'sign-ins begun from this address',
    };
  }
  switch (guesses) {
    case 'client secrets':
      return {
        key: `token ${networkOf(request)}`,
        max: limits.tokenRequestsPerMinuteMax,
        what: 'token requests from this address',
      };
    case 'passwords':
      return {
        key: `sign-in ${networkOf(request)}`,
        max: limits.signInRequestsPerMinuteMax,
        what: 'sign-in attempts from this address',
      };
    default:
      return undefined;
  }
}

/** Clients send thousands of requests per second during a sync; users do not. */
function callerLimit({ kind, id }: Actor, limits: Limits): Limit {
  const max = kind === 'person' ? limits.userRequestsPerMinuteMax : limits.requestsPerMinuteMax;
  return {
    key: `${kind} ${id}`,
    max,
    what: kind === 'person' ? 'requests from this user' : 'requests from this client',
  };
}

function searchLimit({ kind, id }: Actor, limits: Limits): Limit {
  return {
    key: `search ${kind} ${id}`,
    max: limits.searchesPerMinuteMax,
    what: 'lists, searches and lookups from this caller',
  };
}

/** An IPv6 customer has at least 2^64 addresses, so the network is counted. */
function networkOf(request: FastifyRequest): string {
  const address = addressOf(request.ip);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const all = [...groups, ...Array(Math.max(missing, 0)).fill('0'), ...(tail?.split(':') ?? [])];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '') || '0')
    .join(':');
}

function setHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance): void {
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', remaining)
    .header('ratelimit-reset', resetSeconds);
}

function tooMany(reply: FastifyReply, left: Allowance, what: string): RequestRejected {
  setHeaders(reply, left);
  const { limit, resetSeconds } = left;
  return new RequestRejected(
    failure(
      'REQUEST_RATE_LIMITED',
      `Too many ${what}. Retry in ${resetSeconds} s; the limit is ${limit} per minute.`,
      {
        limit,
        retryAfterSeconds: resetSeconds,
      },
    ),
  );
}
