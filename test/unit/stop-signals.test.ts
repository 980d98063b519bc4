import { expect, test } from 'vitest';
import { stopSignals } from '../../src/cli/stop.js';

test('Windows stops with Ctrl-C, Ctrl-Break and a closed window, because it has no SIGTERM', () => {
  expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP']);
  expect(stopSignals('linux')).toEqual(['SIGTERM', 'SIGINT']);
});
