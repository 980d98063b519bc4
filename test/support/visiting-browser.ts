import type { CompanyProvider } from './company-provider.js';
import type { TestService } from './service.js';

export interface Visited {
  readonly status: number;
  readonly url: string;
  /** Where it redirects to. */
  readonly location: string;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** Follows redirects with cookies, as a browser does. What the service is called by its users is replaced by where it is. */
export class VisitingBrowser {
  readonly #service: TestService;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(service: TestService) {
    this.#service = service;
  }

  /** The cookies of the service. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#jar(this.#service.url);
  }

  get sessionToken(): string | undefined {
    return [...this.cookies].find(([name]) => /^rollcall-local\d+$/.test(name))?.[1];
  }

  async open(url: string, headers: Record<string, string> = {}): Promise<Visited> {
    const place = this.#placeOf(url);
    const jar = this.#jar(place);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(place, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...headers },
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie();
    for (const line of cookies) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      jar.set(name, value.join('='));
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      url: place,
      location: location === null ? '' : new URL(location, place).href,
      cookies,
      text,
    };
  }

  /** Goes to the provider and signs in there. Returns the URL of the service that the provider sends the browser back to. */
  async authorize(start = '/service/auth/sso/start'): Promise<URL> {
    let visited = await this.open(`${this.#service.url}${start}`);
    while (!visited.location.includes('/service/auth/sso/callback')) {
      if (!visited.location || visited.location.includes('/signed-in')) {
        throw new Error(`the sign-in ended at ${visited.url} with ${visited.status} ${visited.location}`);
      }
      visited = await this.open(visited.location);
    }
    return new URL(visited.location);
  }

  /** Signs in with the provider. Returns where the console goes on. */
  async signIn(start?: string): Promise<string> {
    const { location } = await this.open((await this.authorize(start)).href);
    return location.slice(this.#service.url.length);
  }

  /** Its cookies of a place, such as a session at the provider. */
  forget(url: string): void {
    this.#jar(url).clear();
  }

  #placeOf(url: string): string {
    return url.replace(/^http:\/\/localhost:8080(?=\/)/, this.#service.url);
  }

  #jar(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }
}

/** Introduces the service and the provider to each other. */
export function acquaint(
  provider: CompanyProvider,
  service: TestService,
  publicUrl = 'http://localhost:8080',
): void {
  provider.serve({ publicUrl, url: service.url });
}
