import type { Language } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { isAdmitted } from './states.js';

/** What claims about a user are made of. */
export interface Member {
  readonly serial: string;
  readonly updatedAt: Date;
  readonly employeeID: string;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly organizationSerial: string | null;
  readonly organizationName: string | null;
  readonly tagSerials: readonly string[];
  readonly attributes: string | null;
  readonly language: Language | null;
  readonly managerSerial: string | null;
  readonly managerEmployeeID: string | null;
  readonly managerName: string | null;
}

/** Undefined if the user may not sign in to the application. */
export async function findMember(
  executor: Executor,
  { userSerial, applicationId }: { readonly userSerial: string; readonly applicationId: string },
): Promise<Member | undefined> {
  const { rows } = await executor.query<Member>({
    name: 'find-openid-member',
    text: `SELECT u.serial, u.updated_at AS "updatedAt", u.employee_id AS "employeeID", u.name, u.username, u.email,
             u.phone, u.organization_serial AS "organizationSerial", o.display_name AS "organizationName",
             u.tag_serials AS "tagSerials", u.attributes::text AS attributes, l.language,
             m.serial AS "managerSerial", m.employee_id AS "managerEmployeeID", m.name AS "managerName"
           FROM users AS u JOIN applications AS a ON a.id = $2
             LEFT JOIN organizations AS o ON o.serial = u.organization_serial
             LEFT JOIN user_languages AS l ON l.user_serial = u.serial
             LEFT JOIN users AS m ON m.serial = u.manager_serial
           WHERE u.serial = $1 AND ${isAdmitted}`,
    values: [userSerial, applicationId],
  });
  return rows[0];
}
