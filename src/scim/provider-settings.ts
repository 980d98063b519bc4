import type {
  DeletionChoice,
  EmployeeIdSource,
  ProviderKind,
  UnknownAttributes,
  VisibleUsers,
} from '../contract/enums.js';
import { scimLimits } from '../contract/limits.js';

/** How an identity provider is served. */
export interface ProviderSettings {
  readonly clientId: string;
  readonly kind: ProviderKind;
  readonly onDelete: DeletionChoice;
  readonly employeeId: EmployeeIdSource;
  readonly visibleUsers: VisibleUsers;
  readonly unknownAttributes: UnknownAttributes;
  /** How many percent of the active users it may deactivate within 24 hours; 0 means any number. */
  readonly deactivationPercent: number;
}

export type ProviderPreset = Omit<ProviderSettings, 'clientId'>;

const cautious = {
  onDelete: 'deactivate',
  employeeId: 'reject',
  visibleUsers: 'all',
  unknownAttributes: 'ignore',
  deactivationPercent: scimLimits.deactivationPercentDefault,
} as const;

/** Okta and Entra ID send attributes that an administrator can't always leave out. Other clients are told. */
export const providerPresets: Readonly<Record<ProviderKind, ProviderPreset>> = {
  okta: { kind: 'okta', ...cautious },
  entra: { kind: 'entra', ...cautious },
  other: { kind: 'other', ...cautious, unknownAttributes: 'reject' },
};

/** Of a provider without settings of its own. */
export function defaultSettings(clientId: string): ProviderSettings {
  return { clientId, ...providerPresets.other };
}

export interface DeactivationCounts {
  /** Users whom the provider has deactivated within the window. */
  readonly deactivated: number;
  readonly activeUsers: number;
  readonly percent: number;
  /** How many more an administrator has allowed for now. */
  readonly allowedMore: number;
}

/** How many users the provider may deactivate within the window; undefined means any number. */
export function deactivationLimit({
  activeUsers,
  percent,
  allowedMore,
}: Omit<DeactivationCounts, 'deactivated'>): number | undefined {
  if (percent === 0) return undefined;
  const share = Math.floor((activeUsers * percent) / 100);
  return Math.max(scimLimits.deactivationsFew, share) + allowedMore;
}
