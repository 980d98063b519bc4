import { createHash } from 'node:crypto';
import type { ProviderContext, ProviderError } from './provider-library.js';

/** The few pages of the provider itself. Everything else that users see is a page of the console. */
const texts = {
  en: {
    continueTitle: 'One moment',
    continueLink: 'Continue',
    signOutTitle: 'Sign out?',
    signOutHint: 'You will be signed out of all applications that you signed in to with this account.',
    signOut: 'Sign out',
    stay: 'Stay signed in',
    signedOutTitle: 'You are signed out',
    signedOutHint: 'You can close this page.',
    expiredTitle: 'This sign-in has expired',
    expiredHint: 'Go back to the application and sign in again.',
    failedTitle: 'You cannot sign in to this application',
    failedHint:
      'The application sent you here with a request that is not allowed. Give its support the following message:',
    unavailableTitle: 'Signing in is not possible at the moment',
    unavailableHint: 'Wait a moment and reload this page.',
  },
  de: {
    continueTitle: 'Einen Moment',
    continueLink: 'Weiter',
    signOutTitle: 'Abmelden?',
    signOutHint:
      'Sie werden bei allen Anwendungen abgemeldet, bei denen Sie sich mit diesem Konto angemeldet haben.',
    signOut: 'Abmelden',
    stay: 'Angemeldet bleiben',
    signedOutTitle: 'Sie sind abgemeldet',
    signedOutHint: 'Sie können diese Seite schließen.',
    expiredTitle: 'Diese Anmeldung ist abgelaufen',
    expiredHint: 'Gehen Sie zurück zur Anwendung und melden Sie sich erneut an.',
    failedTitle: 'Sie können sich bei dieser Anwendung nicht anmelden',
    failedHint:
      'Die Anwendung hat Sie mit einer unzulässigen Anfrage hierher geschickt. Geben Sie diese Meldung an ihren Support weiter:',
    unavailableTitle: 'Die Anmeldung ist gerade nicht möglich',
    unavailableHint: 'Warten Sie einen Moment und laden Sie die Seite neu.',
  },
  es: {
    continueTitle: 'Un momento',
    continueLink: 'Continuar',
    signOutTitle: '¿Cerrar sesión?',
    signOutHint: 'Se cerrará su sesión en todas las aplicaciones en las que la inició con esta cuenta.',
    signOut: 'Cerrar sesión',
    stay: 'Seguir conectado',
    signedOutTitle: 'Ha cerrado la sesión',
    signedOutHint: 'Puede cerrar esta página.',
    expiredTitle: 'Este inicio de sesión ha caducado',
    expiredHint: 'Vuelva a la aplicación e inicie sesión de nuevo.',
    failedTitle: 'No puede iniciar sesión en esta aplicación',
    failedHint:
      'La aplicación le ha enviado aquí con una solicitud no permitida. Comunique este mensaje a su soporte:',
    unavailableTitle: 'En este momento no es posible iniciar sesión',
    unavailableHint: 'Espere un momento y vuelva a cargar la página.',
  },
} as const;

type PageLanguage = keyof typeof texts;

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto 0;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.4rem}button,a{font:inherit}button{display:block;width:100%;margin-top:.75rem;padding:.6rem;border:1px solid;border-radius:.4rem;background:none;color:inherit;cursor:pointer}button.main{background:#1862ab;border-color:#1862ab;color:#fff}code{font-size:.9rem}`;
const styleHash = createHash('sha256').update(style).digest('base64');

export interface Page {
  readonly html: string;
  readonly contentPolicy: string;
}

interface PageContent {
  readonly language: PageLanguage;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly head?: string;
  /** Where a form of the page may lead, also by a redirect. */
  readonly formTargets?: readonly string[];
}

function pageOf({ language, title, body, head = '', formTargets = [] }: PageContent): Page {
  return {
    html: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>${head}<style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>
`,
    contentPolicy: contentPolicy(`'sha256-${styleHash}'`, formTargets),
  };
}

function contentPolicy(styles: string, formTargets: readonly string[]): string {
  const forms = formTargets.length === 0 ? "'none'" : formTargets.join(' ');
  return `default-src 'none'; base-uri 'none'; style-src ${styles}; form-action ${forms}; frame-ancestors 'none'`;
}

/**
 * Another site led the browser here, so it has not sent the cookie of the session. It does when this page, which is of the
 * same site, leads it on.
 */
export function continuePage(acceptLanguage: string | undefined, next: string): Page {
  const language = languageOf(acceptLanguage);
  const { continueTitle: title, continueLink } = texts[language];
  return pageOf({
    language,
    title,
    head: `<meta http-equiv="refresh" content="0;url=${escaped(next)}">`,
    body: `<p><a href="${escaped(next)}">${continueLink}</a></p>`,
  });
}

export function expiredPage(acceptLanguage: string | undefined): Page {
  const language = languageOf(acceptLanguage);
  const { expiredTitle: title, expiredHint } = texts[language];
  return pageOf({ language, title, body: `<p>${expiredHint}</p>` });
}

/** The answer to a request that cannot go back to the application, because nobody knows where that is. */
export async function renderError(
  context: ProviderContext,
  { error, error_description: description }: { readonly error?: string; readonly error_description?: string },
  problem: ProviderError,
): Promise<void> {
  const language = languageOf(context.headers['accept-language']);
  const text = texts[language];
  if (problem.name === 'SessionNotFound')
    return send(context, expiredPage(context.headers['accept-language']));
  if (error === 'server_error')
    return send(
      context,
      pageOf({ language, title: text.unavailableTitle, body: `<p>${text.unavailableHint}</p>` }),
    );
  const message = [error, description].filter((part) => part !== undefined).join(': ');
  const body = `<p>${text.failedHint}</p><p><code lang="en">${escaped(message)}</code></p>`;
  send(context, pageOf({ language, title: text.failedTitle, body }));
}

/** The form of the library has a token that no other site knows. */
export async function renderSignOut(context: ProviderContext, form: string): Promise<void> {
  const language = languageOf(context.headers['accept-language']);
  const { signOutTitle: title, signOutHint, signOut, stay } = texts[language];
  const id = 'op.logoutForm';
  const body = `<p>${signOutHint}</p>${form}
<button class="main" autofocus type="submit" form="${id}" value="yes" name="logout">${signOut}</button>
<button type="submit" form="${id}">${stay}</button>`;
  send(context, pageOf({ language, title, body, formTargets: formTargetsOf(context) }));
}

/** Browsers apply the policy also to where the reply to a form redirects: back to the application. */
export function formTargetsOf({ oidc }: ProviderContext): string[] {
  const uris = [oidc?.session?.state?.postLogoutRedirectUri, oidc?.client && oidc.params?.redirect_uri];
  const known = uris.filter((uri) => uri !== undefined && URL.canParse(uri)) as string[];
  return ["'self'", ...new Set(known.map((uri) => new URL(uri).origin))];
}

export async function renderSignedOut(context: ProviderContext): Promise<void> {
  const language = languageOf(context.headers['accept-language']);
  const { signedOutTitle: title, signedOutHint } = texts[language];
  send(context, pageOf({ language, title, body: `<p>${signedOutHint}</p>` }));
}

function send(context: ProviderContext, { html, contentPolicy }: Page): void {
  context.type = 'html';
  context.set('content-security-policy', contentPolicy);
  context.body = html;
}

/** The first language that the browser asks for and that we have. */
function languageOf(acceptLanguage = ''): PageLanguage {
  const wanted = acceptLanguage
    .split(',')
    .map((each) => {
      const [tag = '', ...parameters] = each.trim().split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean);
      return { tag: tag.slice(0, 2).toLowerCase(), quality: Number(quality ?? 1) };
    })
    .sort((a, b) => b.quality - a.quality);
  const found = wanted.find(({ tag }) => Object.hasOwn(texts, tag))?.tag;
  return (found ?? 'en') as PageLanguage;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}
