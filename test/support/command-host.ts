import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Host, Output } from '../../src/cli/host.js';

/** Thrown where a process would exit. */
export class Exited extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

export interface HostOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  onOutput(stream: 'stdout' | 'stderr', text: string): void;
  /** All streams belong to a terminal. */
  readonly isTerminal: boolean;
}

/** Stands in for the process of a command. */
export class CommandHost extends EventEmitter implements Host {
  readonly stdin: TerminalInput;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly directory: string;

  constructor({ args, env, directory, onOutput, isTerminal }: HostOptions) {
    super();
    this.stdin = new TerminalInput(isTerminal);
    this.stdout = output((text) => onOutput('stdout', text), isTerminal);
    this.stderr = output((text) => onOutput('stderr', text), isTerminal);
    this.env = env;
    this.argv = ['node', 'rollcall', ...args];
    this.directory = directory;
  }

  exit(code: number): never {
    throw new Exited(code);
  }

  /** As a terminal does: Ctrl-C is a signal unless the program reads every key itself. */
  type(text: string): void {
    if (text === '\u0003' && !this.stdin.isRaw) this.emit('SIGINT', 'SIGINT');
    else this.stdin.write(text);
  }
}

class TerminalInput extends PassThrough {
  readonly isTTY: boolean;
  isRaw = false;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}

function output(onText: (text: string) => void, isTTY: boolean): Output {
  const decoder = new StringDecoder('utf8');
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      onText(decoder.write(chunk));
      done();
    },
  });
  return Object.assign(stream, { isTTY, columns: 100 });
}
