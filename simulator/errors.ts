// A configuration with faults, as the error that ends a run.

import { EXIT, RunError } from '../forward/errors.ts';
import { type Fault, formatFault } from './config/document/faults.ts';

export function configurationError(path: string, faults: readonly Fault[]): RunError {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new RunError(EXIT.usage, [`${path} has ${count}:`, ...faults.map(formatFault)].join('\n  '));
}
