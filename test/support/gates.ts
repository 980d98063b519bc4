import { expect, onTestFinished } from 'vitest';
import type { TestService } from './service.js';

/** A user who is stored only once their gate is opened. */
export const atTheGate = { organizationSerial: 'at the gate' } as const;

/** The same, and afterwards the statement also waits for all other locks without a timeout. */
export const patientAtTheGate = { organizationSerial: 'patient at the gate' } as const;

/** The advisory lock of a gate. Its first number distinguishes gates from other locks. */
const gateKey = (employeeID: string) => `1, hashtext(${employeeID})`;

/** PostgreSQL only. Call it once per database, before any writes, because creating a trigger conflicts with writers. */
export async function buildGates({ database }: TestService): Promise<void> {
  await database.pool.query(
    `CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE patience text := current_setting('lock_timeout');
     BEGIN
       PERFORM set_config('lock_timeout', '0', true);
       PERFORM pg_advisory_xact_lock_shared(${gateKey('NEW.employee_id')});
       IF NEW.organization_serial = '${atTheGate.organizationSerial}' THEN
         PERFORM set_config('lock_timeout', patience, true);
       END IF;
       RETURN NEW;
     END $$`,
  );
  await database.pool.query(
    `CREATE TRIGGER gate BEFORE INSERT ON users FOR EACH ROW
     WHEN (NEW.organization_serial LIKE '%at the gate') EXECUTE FUNCTION wait_at_the_gate()`,
  );
}

export interface Gate {
  /** Waits until a statement waits at the gate. Returns the process ID of its connection. */
  reached(): Promise<number>;
  open(): Promise<void>;
}

/** Closes the gate of one user. It opens when the test ends, so that nothing keeps waiting. */
export async function closeGate({ database }: TestService, employeeID: string): Promise<Gate> {
  const keeper = await database.pool.connect();
  let isClosed = true;
  const open = async () => {
    if (!isClosed) return;
    isClosed = false;
    const unlocked = keeper.query(`SELECT pg_advisory_unlock(${gateKey('$1')})`, [employeeID]);
    const isBroken = await unlocked.then(
      () => false,
      () => true, // a test may have stopped the server
    );
    keeper.release(isBroken);
  };
  onTestFinished(open);
  await keeper.query(`SELECT pg_advisory_lock(${gateKey('$1')})`, [employeeID]);
  const before = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = 1
         AND objid::bigint = hashtext($1)::bigint & 4294967295
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [employeeID],
    );
    return rows[0]?.pid;
  };
  const reached = async () => {
    await expect.poll(before).toBeTypeOf('number');
    return (await before()) as number;
  };
  return { reached, open };
}
