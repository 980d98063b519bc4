import type {
  DeletionChoice,
  EmployeeIdSource,
  ProviderKind,
  UnknownAttributes,
  VisibleUsers,
} from '../../contract/enums.js';
import type { Executor } from '../database.js';

export interface StoredProvider {
  readonly clientId: string;
  readonly kind: ProviderKind;
  readonly onDelete: DeletionChoice;
  readonly employeeId: EmployeeIdSource;
  readonly visibleUsers: VisibleUsers;
  readonly unknownAttributes: UnknownAttributes;
  readonly deactivationPercent: number;
}

const settings = `client_id AS "clientId", kind, on_delete AS "onDelete", employee_id AS "employeeId",
  visible_users AS "visibleUsers", unknown_attributes AS "unknownAttributes",
  deactivation_percent AS "deactivationPercent"`;

export async function getProvider(executor: Executor, clientId: string): Promise<StoredProvider | undefined> {
  const { rows } = await executor.query<StoredProvider>({
    name: 'get-scim-provider',
    text: `SELECT ${settings} FROM scim_providers WHERE client_id = $1`,
    values: [clientId],
  });
  return rows[0];
}
