/** What the caller said about a bulk call. */
export const callLabelCopy = { source: 'File', note: 'Note' };
