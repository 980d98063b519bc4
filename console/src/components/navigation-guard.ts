import { navigate } from 'wouter/use-browser-location';

/** How the user tried to leave the page. */
export type NavigationAttempt =
  | { readonly by: 'link'; readonly to: string }
  | { readonly by: 'history' }
  | { readonly by: 'action'; readonly action: () => void };

interface Guard {
  readonly isGuarded: () => boolean;
  readonly onAttempt: (attempt: NavigationAttempt) => void;
}

const guards = new Set<Guard>();

/** Does what discards the page, such as signing out. Asks first if there is unsaved input. */
export function leaveFor(action: () => void): void {
  const guard = [...guards].find(({ isGuarded }) => isGuarded());
  if (guard) guard.onAttempt({ by: 'action', action });
  else action();
}

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
  if (!isGuardEntry()) history.pushState({ ...history.state, [guardMark]: true }, '', location.href);
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
  const guard = { isGuarded, onAttempt };
  guards.add(guard);
  document.addEventListener('click', onClick, { capture: true });
  window.addEventListener('popstate', onPopState);
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => {
    guards.delete(guard);
    document.removeEventListener('click', onClick, { capture: true });
    window.removeEventListener('popstate', onPopState);
    window.removeEventListener('beforeunload', onBeforeUnload);
  };
}

/** Follows a link that is not on the page. Like any other, it asks first if there are unsaved changes. */
export function goTo(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.hidden = true;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    navigate(href);
  });
  document.body.append(link);
  link.click();
  link.remove();
}
