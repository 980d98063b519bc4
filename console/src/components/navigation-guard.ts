/** How the user tried to leave the page. */
export type NavigationAttempt =
  | { readonly by: 'link'; readonly to: string }
  | { readonly by: 'history' }
  | { readonly by: 'action'; readonly leave: () => void };

const guardMark = 'rollcall.guarded';

function isGuardEntry(): boolean {
  return (history.state as Record<string, unknown> | null)?.[guardMark] === true;
}

/** Whether the history entry before this one is the same page. */
let hasGuardEntry = false;

/**
 * Pushes the same URL onto the history. The router handles `popstate` before anyone could stop it, so going back must
 * lead to the same page.
 */
export function pushGuardEntry(): void {
  hasGuardEntry = true;
  if (!isGuardEntry()) history.pushState({ [guardMark]: true }, '', location.href);
}

/** Pages that may ask before they are left. */
const guards = new Set<(leave: () => void) => boolean>();

/** Does something that ends the page, such as loading it again. If the page is guarded, only after the user agreed. */
export function leavePage(leave: () => void): void {
  for (const asksFirst of guards) if (asksFirst(leave)) return;
  leave();
}

/** Goes back past the guard entry and the page itself. */
export function goBackPastGuard(): void {
  history.go(isGuardEntry() ? -2 : -1);
}

/** Intercepts navigation while the page is guarded. Returns a function that stops it. */
export function interceptNavigation(
  isGuarded: () => boolean,
  onAttempt: (attempt: NavigationAttempt) => void,
): () => void {
  const here = location.pathname;
  hasGuardEntry = isGuardEntry(); // the user returned to a guarded page
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isGuarded() || !link || !isPlain || link.target === '_blank') return;
    if (link.origin !== location.origin || link.pathname === here) return;
    event.preventDefault();
    event.stopPropagation();
    onAttempt({ by: 'link', to: link.pathname + link.search });
  };
  const onPopState = () => {
    if (location.pathname !== here || isGuardEntry()) return;
    if (isGuarded()) {
      pushGuardEntry();
      onAttempt({ by: 'history' });
    } else if (hasGuardEntry) {
      // The page is no longer guarded: skip its second entry.
      hasGuardEntry = false;
      history.back();
    }
  };
  const onBeforeUnload = (event: BeforeUnloadEvent) => {
    if (isGuarded()) event.preventDefault();
  };
  const asksFirst = (leave: () => void) => {
    if (isGuarded()) onAttempt({ by: 'action', leave });
    return isGuarded();
  };
  guards.add(asksFirst);
  document.addEventListener('click', onClick, { capture: true });
  window.addEventListener('popstate', onPopState);
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => {
    guards.delete(asksFirst);
    document.removeEventListener('click', onClick, { capture: true });
    window.removeEventListener('popstate', onPopState);
    window.removeEventListener('beforeunload', onBeforeUnload);
  };
}
