/** A search starts after a pause in typing. */
export const typingPauseMs = 200;
