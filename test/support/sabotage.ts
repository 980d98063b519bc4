import type { TestService } from './service.js';

/** Makes the database run a PL/pgSQL statement whenever it stores the user with this employee ID. */
export async function whenStored(
  service: TestService,
  employeeID: string,
  statement: string,
  moment: 'at once' | 'at the commit' = 'at once',
): Promise<void> {
  const name = `sabotage_${employeeID.toLowerCase()}`;
  const trigger =
    moment === 'at once'
      ? `CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON users`
      : `CREATE CONSTRAINT TRIGGER ${name} AFTER INSERT OR UPDATE ON users DEFERRABLE INITIALLY DEFERRED`;
  await service.database.pool.query(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$`,
  );
  await service.database.pool.query(
    `${trigger} FOR EACH ROW WHEN (NEW.employee_id = '${employeeID}') EXECUTE FUNCTION ${name}()`,
  );
}

/** Reverts `whenStored`. */
export async function repair(service: TestService, employeeID: string): Promise<void> {
  await service.database.pool.query(`DROP FUNCTION sabotage_${employeeID.toLowerCase()} CASCADE`);
}
