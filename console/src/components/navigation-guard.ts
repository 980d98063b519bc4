/** How somebody was about to leave. */
export type NavigationAttempt = { readonly by: 'link'; readonly to: string } | { readonly by: 'history' };

const mark = 'rollcall.guarded';

function isMarked(): boolean {
  return (history.state as Record<string, unknown> | null)?.[mark] === true;
}

/** Whether the entry before this one is the same page. */
let isHeld = false;

/**
 * Puts the same address into the history once more. A step back then stays on the page: the router hears of it before
 * anybody could stop it, and must find nothing to do.
 */
export function pushGuardEntry(): void {
  isHeld = true;
  if (!isMarked()) history.pushState({ [mark]: true }, '', location.href);
}

/** Past the place that was held, and the page itself. */
export function goBackPastGuard(): void {
  history.go(isMarked() ? -2 : -1);
}

/** Stops every way out of the page and tells of it, while it is guarded. Gives back how to end that. */
export function interceptNavigation(
  isGuarded: () => boolean,
  tell: (way: NavigationAttempt) => void,
): () => void {
  const here = location.pathname;
  isHeld = isMarked(); // somebody came back to a page that had been guarded
  const clicked = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isGuarded() || !link || !isPlain || link.target === '_blank') return;
    if (link.origin !== location.origin || link.pathname === here) return;
    event.preventDefault();
    event.stopPropagation();
    tell({ by: 'link', to: link.pathname + link.search });
  };
  const wentBack = () => {
    if (location.pathname !== here || isMarked()) return;
    if (isGuarded()) {
      pushGuardEntry();
      tell({ by: 'history' });
    } else if (isHeld) {
      // Nothing is guarded any more, so that the step back that was held up is made.
      isHeld = false;
      history.back();
    }
  };
  const closing = (event: BeforeUnloadEvent) => {
    if (isGuarded()) event.preventDefault();
  };
  document.addEventListener('click', clicked, { capture: true });
  window.addEventListener('popstate', wentBack);
  window.addEventListener('beforeunload', closing);
  return () => {
    document.removeEventListener('click', clicked, { capture: true });
    window.removeEventListener('popstate', wentBack);
    window.removeEventListener('beforeunload', closing);
  };
}
