import { useStored } from '../components/use-stored.js';

/** The oldest are forgotten. */
const openMax = 500;

/** The organizations whose parts are shown. */
export interface OpenOrganizations {
  readonly serials: ReadonlySet<string>;
  readonly toggle: (serial: string) => void;
  readonly open: (serial: string) => void;
  /** Another serial has taken its place. */
  readonly rename: (from: string, to: string) => void;
}

/** This browser keeps them, so that they are still open on the way back from their users. */
export function useOpenOrganizations(): OpenOrganizations {
  const [text, store] = useStored('open-organizations');
  const serials = readSerials(text);
  const change = (remove: string, ...add: string[]) => {
    const kept = [...serials].filter((serial) => serial !== remove);
    store(JSON.stringify([...kept, ...add].slice(-openMax)));
  };
  return {
    serials,
    toggle: (serial) => (serials.has(serial) ? change(serial) : change(serial, serial)),
    open: (serial) => change(serial, serial),
    rename: (from, to) => serials.has(from) && change(from, to),
  };
}

function readSerials(text: string | null): ReadonlySet<string> {
  try {
    const serials: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(serials) ? serials : []);
  } catch {
    return new Set(); // something else has written it
  }
}
