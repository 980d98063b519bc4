/** The limits of the wire format. They are part of the contract and are the same in every deployment. */
export const fieldLimits = {
  employeeIdMaxLength: 64,
  usernameMaxLength: 64,
  nameMaxLength: 200,
  emailMaxLength: 254,
  emailLocalPartMaxLength: 64,
  phoneMinLength: 3,
  phoneMaxLength: 32,
  phoneMinDigits: 3,
  passwordMaxLength: 128,
  tagSerialsMaxCount: 100,
  serialMaxLength: 64,
  searchMaxLength: 200,
  labelMaxLength: 200,
  /** A password that a person chooses; an initial one may be shorter. */
  chosenPasswordMinLength: 8,
} as const;

/** No token lives longer, whatever is configured: for this long a retired key is still good for checking. */
export const tokenLifetimeMaxSeconds = 86_400;

/** The old secret of a client goes on working this long after a rotation, unless the request says otherwise. */
export const secretOverlapDefaultSeconds = 86_400;
export const secretOverlapMaxSeconds = 30 * 86_400;

/** Texts that are looked up as employee IDs need not be any, but are given back. */
export const lookupTextMaxLength = 1_000;

export const requestIdMaxLength = 128;
export const idempotencyKeyMaxLength = 255;
export const webhookBatchMax = 1_000;
export const webhookBatchDefault = 100;
export const pageLimitDefault = 50;
export const pageLimitMax = 200;

/** Fields of a form. A token request has four; extensions of OAuth add a few. */
export const formFieldsMax = 32;

/** No valid body nests deeper than { items: [ { tagSerials: [ ] } ] }; the rest is room to grow. */
export const jsonDepthMax = 32;

/** Limits an operator can change; these are the defaults that the configuration starts from. */
export const limitDefaults = {
  bulkItemsMax: 10_000,
  /** Items per transaction of a long bulk call: locks stay short and the event loop breathes in between. */
  bulkChunkItems: 2_500,
  /** The second is used only while nobody else uses the pool. */
  bulkConnectionsMax: 2,
  /** Of creates that wait, how many are written by one statement; 1 for a statement each. */
  createsTogetherMax: 100,
  /** How long a bulk call counts as running after the last sign of life of its node. */
  callLeaseMs: 15_000,
  /** How long an Idempotency-Key is remembered. */
  idempotencyKeyHours: 24,
  /** How often work that lost a race is tried before the caller is asked to come back. */
  raceAttemptsMax: 20,
  bulkBodyMaxBytes: 16 * 1024 * 1024,
  bodyMaxBytes: 64 * 1024,
  headersMaxBytes: 16 * 1024,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 72_000,
  connectionsMax: 10_000,
  /** Twice what the fastest sync sends that creates people one by one: 5,000 a second. Only a client gone wild meets it. */
  requestsPerMinuteMax: 600_000,
  /** 500 a second: a person at the console sends a few, and a sync that somebody starts by hand some hundred. */
  personRequestsPerMinuteMax: 30_000,
  /** Of pages of lists, searches and lookups; an export of two million people a minute stays below. */
  searchesPerMinuteMax: 12_000,
  /** From one address, without a valid token: pages, documents, and tokens that are refused. A cold console is 40 of them. */
  anonymousRequestsPerMinuteMax: 12_000,
  /** From one address: token requests are where secrets are guessed. */
  tokenRequestsPerMinuteMax: 600,
  /** From one address, which an office may share. At 20 ms each they are a tenth of a core. */
  signInRequestsPerMinuteMax: 300,
  /** Failures of one name before the next attempt has to wait. */
  signInFreeFailures: 5,
  /** The same for an address, which many people may share. */
  signInFreeFailuresPerAddress: 100,
  /** The wait doubles with each failure, from one second up to this. */
  signInDelayMaxSeconds: 900,
  /** Beyond these, who wants a password hashed is asked to come back. At 20 ms each they are seconds of work. */
  passwordHashesWaitingMax: 256,
  /** Over all nodes. */
  deliveriesPerMinuteMax: 600,
  deliveryAttemptsMax: 12,
  /** The pause after the first failed attempt; it doubles up to the longest. */
  deliveryPauseMs: 30_000,
  deliveryPauseMaxMs: 3_600_000,
  deliveryTimeoutMs: 60_000,
  deliveryPollMs: 1_000,
  webhookTimeoutMs: 15_000,
  /** The pause after the first failed attempt; it doubles up to the longest. */
  webhookPauseMs: 5_000,
  webhookPauseMaxMs: 4 * 3_600_000,
  /** A webhook that has failed for this long is disabled. */
  webhookGiveUpHours: 72,
  /** Between two looks at the change log of those who follow it. */
  eventPollMs: 250,
  eventStreamsMax: 100,
  /** Shorter than proxies wait for an answer, and than our client does. */
  eventHoldMs: 15_000,
  poolConnectionsMax: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 15_000,
  shutdownTimeoutMs: 15_000,
} as const;

export type LimitName = keyof typeof limitDefaults;
export type Limits = Readonly<Record<LimitName, number>>;
