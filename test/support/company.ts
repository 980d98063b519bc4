import { afterAll, beforeAll } from 'vitest';
import type { Environment } from '../../src/config.js';
import { CompanyProvider } from './company-provider.js';
import { newId, TestService } from './service.js';
import { acquaint, VisitingBrowser } from './visiting-browser.js';

export interface Employee {
  readonly serial: string;
  readonly employeeID: string;
  /** At the provider. */
  readonly account: string;
}

/** A service for one file, whose users sign in with a provider of their company. */
export function useCompany(settings: Environment = {}) {
  let provider: CompanyProvider | undefined;
  let service: TestService | undefined;
  beforeAll(async () => {
    provider = await CompanyProvider.start();
    service = await TestService.start({ ...provider.environment, ...settings });
    acquaint(provider, service, settings.ROLLCALL_PUBLIC_URL === '' ? service.url : undefined);
  });
  afterAll(async () => {
    await service?.stop();
    await provider?.stop();
  });
  const running = { service: standIn(() => service), provider: standIn(() => provider) };
  return {
    ...running,
    browser: () => new VisitingBrowser(running.service),
    /** Who signs in from now on. */
    employee: async (
      user: Record<string, unknown> = {},
      claims: Record<string, unknown> = {},
    ): Promise<Employee> => {
      const account = newId('account');
      const { serial, employeeID } = await running.service.givenUser(user);
      running.provider.accounts.set(account, { employee_number: employeeID, ...claims });
      running.provider.signsIn = account;
      return { serial, employeeID, account };
    },
  };
}

/** Lets a file refer to what is not running yet. */
function standIn<T extends object>(actual: () => T | undefined): T {
  const running = () => {
    const found = actual();
    if (!found) throw new Error('not running yet');
    return found;
  };
  return new Proxy({} as T, {
    get: (_, property) => {
      const value = Reflect.get(running(), property, running());
      return typeof value === 'function' ? value.bind(running()) : value;
    },
    set: (_, property, value) => Reflect.set(running(), property, value, running()),
  });
}
