/** Limits of the wire format. They are part of the contract and the same in every deployment. */
export const fieldLimits = {
  employeeIdMaxLength: 64,
  usernameMaxLength: 64,
  signInNameMaxLength: 256,
  nameMaxLength: 200,
  emailMaxLength: 254,
  emailLocalPartMaxLength: 64,
  phoneMaxLength: 255,
  passwordMaxLength: 128,
  tagSerialsMaxCount: 100,
  serialMaxLength: 64,
  searchMaxLength: 200,
  /** All of them together are longer than anything that is searched for. */
  eventTypesMaxLength: 500,
  labelMaxLength: 200,
  /** For passwords chosen by users; an initial password may be shorter. */
  chosenPasswordMinLength: 8,
} as const;

/** Limits of company attributes. */
export const attributeLimits = {
  attributesMax: 200,
  /** The attributes of one user as JSON, as they are sent and as they are stored. */
  objectMaxBytes: 65_536,
  keyMaxLength: 64,
  synonymsMax: 20,
  choicesMax: 500,
  patternMaxLength: 200,
  /** Instructions of a compiled pattern; {1,255} has two for each repetition. */
  patternSizeMax: 512,
  /** Instructions times characters. As many steps take 1 ms, or 4 ms if many stars follow each other. */
  patternStepsMax: 131_072,
  textMaxLength: 1_000,
  textDefaultLength: 255,
  /** A value has to fit into an entry of an index, whatever its characters are. */
  uniqueMaxLength: 255,
  listMaxCount: 100,
  /** Lists are sorted by so much of a text. A longer one differs from every text that they can be filtered by. */
  listedLength: fieldLimits.searchMaxLength + 1,
  /** Numbers of more digits are not the same after a program has read them. */
  numberDigitsMax: 15,
  /** Of numbers closer to zero, JavaScript writes an exponent and PostgreSQL doesn't. */
  numberMinimum: 0.000001,
} as const;

/** Limits of saved views of the user list. */
export const viewLimits = {
  /** Of one user. */
  ownMax: 100,
  /** Of all users together. */
  sharedMax: 200,
  nameMaxLength: 60,
  /** Filters with hundreds of values fit. */
  queryMaxLength: 8_000,
} as const;

/** Limits of feeds and their settings. */
export const feedLimits = {
  feedsMax: 100,
  keyMaxLength: 64,
  urlMaxLength: 2_000,
  textMaxLength: 200,
  serialMaxLength: fieldLimits.serialMaxLength,
  secretMaxLength: 16_384,
  cronMaxLength: 100,
  affixMaxLength: 20,
  columnsMax: 100,
  joinedColumnsMax: 10,
  valueTableMax: 1_000,
  padToMax: fieldLimits.employeeIdMaxLength,
  headingRowMax: 1_000,
  blackoutDatesMax: 400,
  scopeMax: 1_000,
  scopeAttributesMax: 20,
  informedMax: 100,
  countMax: 100_000_000,
  /** A mapping can have several value tables. */
  bodyMaxBytes: 1024 * 1024,
} as const;

/** Of services that users are pushed to. */
export const scimTargetLimits = {
  tokenMaxLength: 4_096,
  /** Organizations or tags that select users. */
  serialsMaxCount: 100,
  requestsPerSecondDefault: 10,
  requestsPerSecondMax: 100,
  requestsAtOnce: 4,
  responseMaxBytes: 4 * 1024 * 1024,
  /** Users or groups with the ID of another service. */
  remoteIdMaxLength: 1_000,
  /** Members of larger groups are not compared: services leave them out. */
  membersComparedMax: 1_000,
  /** Differences kept per comparison. All are counted. */
  differencesKept: 10_000,
} as const;

/** Of applications whose users sign in here. */
export const applicationLimits = {
  urisMax: 20,
  uriMaxLength: 2_000,
  attributesMax: 50,
  /** Organizations or tags whose users may sign in. */
  serialsMaxCount: 100,
  accessTokenSecondsMin: 60,
  accessTokenSecondsDefault: 600,
  accessTokenSecondsMax: 3_600,
  refreshTokenDaysMin: 1,
  refreshTokenDaysDefault: 30,
  refreshTokenDaysMax: 365,
} as const;

/** Limits of identity providers. */
export const scimLimits = {
  pageDefault: 100,
  pageMax: 1_000,
  /** To get there, the database passes all users before: about a second. Cursors cost the same everywhere. */
  startIndexMax: 1_000_000,
  /** Of one filter. Without an index, each one takes up to two seconds among a million users. */
  filterComparisonsMax: 50,
  /** Of one request, each counted once. Every resource of a page is compared with all of them. */
  requestedPathsMax: 100,
  /** Of each provider. */
  requestsKept: 500,
  /** What a provider may deactivate is counted over so many hours. */
  deactivationWindowHours: 24,
  /** Of the active users. */
  deactivationPercentDefault: 5,
  /** In small companies, the share would be too few. */
  deactivationsFew: 10,
  /** How many more an administrator can allow at once, and for how long. */
  allowedMoreMax: 1_000_000,
  allowedHoursDefault: 24,
  allowedHoursMax: 72,
  /** A group with more members shows them page by page. */
  groupMembersShownMax: 1_000,
  /** In a list that shows members. */
  groupsWithMembersMax: 100,
  /** Members that are no users, and users about whom more than their ID was sent. */
  groupMembersKeptMax: 1_000,
  groupMembersKeptMaxBytes: 131_072,
  memberValueMaxLength: 500,
  /** Of users and groups. Those of known providers have at most 64 characters. */
  externalIdMaxLength: 256,
  /** Some 100,000 members. */
  groupBodyMaxBytes: 8 * 1024 * 1024,
} as const;

/** Long-lived tokens of one client that are neither revoked nor expired. */
export const clientTokensMax = 20;
export const tokenDaysMax = 3_650;

/** The maximum token lifetime, whatever is configured. A retired key verifies tokens for this long. */
export const tokenLifetimeMaxSeconds = 86_400;

/** How long the old secret of a client works after a rotation, unless the request says otherwise. */
export const secretOverlapDefaultSeconds = 86_400;
export const secretOverlapMaxSeconds = 30 * 86_400;

/** Looked-up texts need not be valid employee IDs, but are returned. */
export const lookupTextMaxLength = 1_000;

/** Beyond that, the exact number of messages makes no difference, but counting them takes time. */
export const deliveriesCountedMax = 50_000;

export const requestIdMaxLength = 128;
export const idempotencyKeyMaxLength = 255;
export const webhookUrlMaxLength = 2_000;
export const webhookBatchMax = 1_000;
export const webhookBatchDefault = 100;
export const pageLimitDefault = 50;
export const pageLimitMax = 200;
/** Values of one filter of a list. */
export const filterValuesMax = 100;
/** Nobody gets more managers above them, and no more are shown. It bounds what each item of a call costs. */
export const managersAboveMax = 100;
/** Users that the filter of a bulk call can name one by one. More don't fit into a request body. */
export const selectedUsersMax = 1_000;

/** Names of organizations or tags that one request resolves. */
export const namesMax = 1_000;

/** Fields of a form. A token request has four; OAuth extensions add a few. */
export const formFieldsMax = 32;

/** No valid body nests deeper than { items: [ { tagSerials: [ ] } ] }; the rest is headroom. */
export const jsonDepthMax = 32;

/** Limits that an operator can change, with their defaults. */
export const operatorLimits = {
  bulkItemsMax: 10_000,
  /** Users that one call can update by a filter. Their report is kept in memory, and an undo runs in one transaction. */
  matchingUsersMax: 50_000,
  bulkBodyMaxBytes: 16 * 1024 * 1024,
  /** Twice what the fastest sync of single creates sends (5,000 per second). Only a runaway client reaches it. */
  requestsPerMinuteMax: 600_000,
  /** Per address, which an office may share. At 20 ms each they use a tenth of a core. */
  signInRequestsPerMinuteMax: 300,
  /** The wait doubles with each failure, from one second up to this. */
  signInDelayMaxSeconds: 900,
  /** Across all nodes. */
  deliveriesPerMinuteMax: 600,
  poolConnectionsMax: 10,
  shutdownTimeoutMs: 15_000,
} as const;

/** Limits that are the same in every deployment. Only tests change them, to reach them quickly or with little data. */
const internalLimits = {
  /** Items per transaction of a long bulk call: keeps locks short and lets other work run in between. */
  bulkChunkItems: 2_500,
  /** The second is used only while no other request needs the pool. */
  bulkConnectionsMax: 2,
  /** How many waiting creates one statement writes; 1 disables batching. */
  createsTogetherMax: 100,
  /** How long a bulk call counts as running after the last sign of life from its node. */
  callLeaseMs: 15_000,
  /** How long an Idempotency-Key is kept. */
  idempotencyKeyHours: 24,
  /** Calls that wait for their time or for approval, of one client or user. */
  plannedCallsMax: 1_000,
  /** How often a node checks for calls that are due. */
  plannedCallPollMs: 1_000,
  /** How long a run of a feed counts as running after the last sign of life from its node. */
  feedLeaseMs: 30_000,
  /** How often a node checks for feeds that are due. */
  feedPollMs: 2_000,
  /** Rows of a file that are sent together. */
  feedChunkRows: 2_500,
  /** How often work that lost a race is retried before the request fails. */
  raceAttemptsMax: 20,
  /** Of requests other than bulk calls. */
  bodyMaxBytes: 64 * 1024,
  headersMaxBytes: 16 * 1024,
  /** For the headers of a request to arrive. */
  headersTimeoutMs: 20_000,
  /** For the whole request to arrive. */
  requestTimeoutMs: 120_000,
  /** How long an idle connection stays open. */
  keepAliveTimeoutMs: 72_000,
  /** Further connections are closed immediately. */
  connectionsMax: 10_000,
  /** 500 per second: a user of the console sends a few, and a sync started by hand some hundred. */
  userRequestsPerMinuteMax: 30_000,
  /** For list pages, searches and lookups; an export of two million users per minute stays below. */
  searchesPerMinuteMax: 12_000,
  /** Per address, without a valid token: pages, documents and rejected tokens. Loading the console takes 40. */
  anonymousRequestsPerMinuteMax: 12_000,
  /** Per address: token requests are where secrets are guessed. */
  tokenRequestsPerMinuteMax: 600,
  /** Failures of one name before the next attempt has to wait; twice as many per user. */
  signInFreeFailures: 5,
  /** The same per address, which many users may share. */
  signInFreeFailuresPerAddress: 100,
  /** Beyond this, requests that need a password hash are rejected. At 20 ms each, the queue holds seconds of work. */
  passwordHashesWaitingMax: 256,
  /** After these, a message is parked. */
  deliveryAttemptsMax: 12,
  /** The delay after the first failed attempt; it doubles up to the maximum. */
  deliveryPauseMs: 30_000,
  deliveryPauseMaxMs: 3_600_000,
  /** For one attempt. Another node may take over after twice as long. */
  deliveryTimeoutMs: 60_000,
  deliveryPollMs: 1_000,
  webhookTimeoutMs: 15_000,
  /** The delay after the first failed attempt; it doubles up to the maximum. */
  webhookPauseMs: 5_000,
  webhookPauseMaxMs: 4 * 3_600_000,
  /** A webhook that has failed for this long is disabled, and a SCIM target paused. */
  webhookGiveUpHours: 72,
  /** How often followers check the change log. */
  eventPollMs: 250,
  /** Per worker. */
  eventStreamsMax: 100,
  eventStreamsPerCallerMax: 10,
  /** How long a request for events waits while the service starts. Shorter than the timeouts of proxies and our client. */
  eventHoldMs: 15_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 60_000,
  /** Of a SCIM list, which may read everyone. Providers wait for about a minute. */
  scimListTimeoutMs: 20_000,
  lockTimeoutMs: 15_000,
} as const;

export const limitDefaults = { ...operatorLimits, ...internalLimits } as const;

export type OperatorLimitName = keyof typeof operatorLimits;
export const operatorLimitNames = Object.keys(operatorLimits) as OperatorLimitName[];
export type LimitName = keyof typeof limitDefaults;
export type Limits = Readonly<Record<LimitName, number>>;
