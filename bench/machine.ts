import { cpus, totalmem } from 'node:os';

/** Where and when something was measured. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly postgres: string;
  readonly date: string;
}

export function thisMachine(postgresVersion: string): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() || 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version.slice(1),
    postgres: postgresVersion,
    date: new Date().toISOString().slice(0, 10),
  };
}

export function machineText({ processor, cores, memoryGb, node, postgres, date }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGb} GB of memory; Node ${node}, PostgreSQL ${postgres}; ${date}`;
}
