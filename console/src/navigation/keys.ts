type Command =
  | { readonly kind: 'palette' }
  | { readonly kind: 'search' }
  | { readonly kind: 'help' }
  | { readonly kind: 'create' }
  | { readonly kind: 'go'; readonly letter: string };

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

interface Situation {
  /** Whether letters are being entered. */
  readonly isTyping: boolean;
  readonly isDialogOpen: boolean;
  /** Whether g was pressed just before. */
  readonly isAfterG: boolean;
}

/** What a key means. Undefined if it isn't for us. */
export function commandFor(pressed: Pressed, situation: Situation): Command | undefined {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k')
    return situation.isDialogOpen ? undefined : { kind: 'palette' };
  if (ctrlKey || metaKey || altKey || situation.isTyping || situation.isDialogOpen) return undefined;
  if (situation.isAfterG) return { kind: 'go', letter: key.toLowerCase() };
  if (key === '/') return { kind: 'search' };
  if (key === '?') return { kind: 'help' };
  return key === 'c' ? { kind: 'create' } : undefined;
}

/** Whether commands are given with ⌘ instead of Ctrl. */
export const isApple: boolean = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');
