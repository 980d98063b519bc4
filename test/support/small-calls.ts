/** Bulk calls of at most six items, which run in chunks of two. */
export const smallCalls = {
  ROLLCALL_BULK_CHUNK_ITEMS: '2',
  ROLLCALL_BULK_ITEMS_MAX: '6',
  ROLLCALL_BULK_BODY_MAX_BYTES: '4000',
  ROLLCALL_SAFETY_LIMIT_PERCENT: '100',
};
