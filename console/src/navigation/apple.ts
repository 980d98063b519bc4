/** Whether commands are given with ⌘ instead of Ctrl. */
export const isApple: boolean = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');
