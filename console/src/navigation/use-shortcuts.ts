import { useEffect, useRef } from 'react';
import { goTo } from '../components/navigation-guard.js';
import { useCurrentUser } from '../session/session.js';
import { commandFor } from './keys.js';
import { placesFor } from './places.js';

/** How long g waits for the second key. */
const sequenceMs = 1_500;

interface Handlers {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

export function useShortcuts(handlers: Handlers): void {
  const { scopes } = useCurrentUser();
  const current = useRef({ handlers, scopes });
  current.current = { handlers, scopes };
  useEffect(() => {
    let gPressedAtMs = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { handlers, scopes } = current.current;
      const isAfterG = performance.now() - gPressedAtMs < sequenceMs;
      const situation = { isTyping: isTyping(event.target), isDialogOpen: isDialogOpen(), isAfterG };
      const command = commandFor(event, situation);
      gPressedAtMs =
        event.key === 'g' && command === undefined && !situation.isTyping
          ? performance.now()
          : Number.NEGATIVE_INFINITY;
      if (!command) return;
      event.preventDefault();
      if (command.kind === 'palette') handlers.onPalette();
      else if (command.kind === 'help') handlers.onHelp();
      else if (command.kind === 'search') focusSearch() || handlers.onPalette();
      else if (command.kind === 'create') scopes.includes('users:write') && goTo('/users/new');
      else {
        const place = placesFor(scopes).find(({ letter }) => letter === command.letter);
        if (place) goTo(place.href);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

/** The search of the page, if it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.select();
  return search !== null;
}
