// Prints the results of the conformance run and writes the same table to docs/agents.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { putTable, readMatrix, renderMatrix } from '@roost/agents/conformance/matrix';

const page = join(import.meta.dirname, '../../docs/agents.md');
const table = renderMatrix(readMatrix());
writeFileSync(page, putTable(readFileSync(page, 'utf8'), table));
process.stdout.write(`${table}\n`);
